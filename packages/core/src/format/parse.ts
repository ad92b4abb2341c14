// Turns a `SKILL.md` into properties, body and diagnostics. Never throws, whatever the text.

import { type Diagnostic, type SkillProfile, showCharacter } from '../diagnostics/diagnostic.ts';
import { createDiagnosticLog, type DiagnosticLog } from '../diagnostics/log.ts';
import { profiles } from '../diagnostics/table.ts';
import { maxFrontmatterBytes, maxSkillBytes } from '../skill/limits.ts';
import { checkChoice, checkKeys } from '../skill/options.ts';
import type { SkillProperties } from '../skill/skill.ts';
import { findControlCharacter, findInvisible } from '../text/invisible.ts';
import { countLines, withLineFeeds } from '../text/lines.ts';
import { placeOf } from '../text/place.ts';
import { findCodeBlockEnd, findConflict } from './fences/code-fence.ts';
import { type Fences, findFences } from './fences/fence.ts';
import { findFirstParagraph } from './first-paragraph.ts';
import { type Frontmatter, parseFrontmatter } from './frontmatter/frontmatter.ts';
import { forbidsModelInvocation } from './frontmatter/openai-yaml.ts';
import { parseProperties } from './properties/properties.ts';
import { findStraySwitches } from './properties/stray-switches.ts';

export interface ParseSkillOptions {
  /**
   * Path of the file, for diagnostics.
   * @default 'SKILL.md'
   */
  readonly location?: string | undefined;
  /** Id of the source, for diagnostics. */
  readonly source?: string | undefined;
  /** Name of the directory; `name` must equal it, and it replaces a missing `name`. */
  readonly directoryName?: string | undefined;
  /**
   * The profile that decides the severity of diagnostics; the properties do not depend on it.
   * @default 'lenient'
   */
  readonly profile?: SkillProfile | undefined;
  /**
   * Uses the first paragraph of the body if there is no description, with a warning, as some clients do.
   * @default false
   */
  readonly describeByBody?: boolean | undefined;
  /**
   * Bytes of Codex's `agents/openai.yaml`, whose `policy.allow_implicit_invocation: false` is honoured. Or a text that explains
   * why the file cannot be read: then only users can activate the skill.
   */
  readonly codexSidecar?: Uint8Array | string | undefined;
}

/** A parsed `SKILL.md`. An `error` among the diagnostics means that the skill must not be loaded under the profile. */
export interface ParsedSkill {
  /** Undefined if there is no usable name or description. */
  readonly properties: SkillProperties | undefined;
  /** The Markdown below the frontmatter, trimmed; empty if the file is too large. */
  readonly body: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The parsed frontmatter, and the name even if there is no description. */
export interface NamedHead extends Omit<ParsedSkill, 'body'> {
  readonly name: string | undefined;
}

export interface ParseSkillHeadOptions extends ParseSkillOptions {
  /** Whether the bytes are the whole file. */
  readonly complete: boolean;
}

/**
 * Parses a whole `SKILL.md`, in time linear in its length. A body beyond 512 KiB is not read.
 *
 * @see https://agentskills.io/specification
 * @throws {SkillError} `options-invalid` if an option is unknown, never because of the text
 */
export function parseSkill(input: string | Uint8Array, options: ParseSkillOptions = {}): ParsedSkill {
  checkParseOptions(options);
  const { properties, body, diagnostics } = parseWithFields(input, options);
  return { properties, body, diagnostics };
}

/** All options. If `profile` were misspelt, a skill that must be refused would pass. */
const optionNames = ['location', 'source', 'directoryName', 'profile', 'describeByBody', 'codexSidecar'];

/** Checks the options of a whole `SKILL.md`. @throws {SkillError} `options-invalid` */
export function checkParseOptions(options: ParseSkillOptions): void {
  checkKeys('options', options, optionNames);
  checkChoice('profile', options.profile, profiles);
}

/** Parses a whole `SKILL.md`, and also returns the fields and repairs behind the properties. */
export function parseWithFields(
  input: string | Uint8Array,
  options: ParseSkillOptions,
): ParsedSkill & Pick<Frontmatter, 'fields' | 'repairs'> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const log = createLog(options);
  const { diagnostics } = log;
  const fences = locateWhole(bytes, log);
  if (fences === undefined) return { properties: undefined, body: '', diagnostics, fields: undefined, repairs: [] };
  const { properties, fields, repairs, bodyStart } = parseHead(bytes, fences, options, log);
  return { properties, fields, repairs, body: extractBody(bytes, bodyStart, fences, log), diagnostics };
}

/**
 * Parses the frontmatter from the first bytes of a `SKILL.md`, without decoding the body. Undefined if the frontmatter does not
 * end within the bytes and more could help; 16 KiB are always enough.
 */
export function parseSkillHead(head: Uint8Array, options: ParseSkillHeadOptions): NamedHead | undefined {
  const log = createLog(options);
  const fences = findFences(head, options.complete, log);
  if (fences === 'needs-more') return undefined;
  if (fences === undefined) return { name: undefined, properties: undefined, diagnostics: log.diagnostics };
  const { name, properties } = parseHead(head, fences, options, log);
  return { name, properties, diagnostics: log.diagnostics };
}

/**
 * Parses only the body of a whole `SKILL.md`, which begins after the byte offset `bodyStart`. Diagnoses the fences and the body,
 * not the fields.
 */
export function parseBody(
  bytes: Uint8Array,
  options: ParseSkillOptions = {},
): Omit<ParsedSkill, 'properties'> & { readonly bodyStart: number } {
  const log = createLog(options);
  const { diagnostics } = log;
  const fences = locateWhole(bytes, log);
  if (fences === undefined) return { body: '', bodyStart: 0, diagnostics };
  // Only the fields show whether the body begins at a heading below them.
  const { bodyStart } = fences.heading === undefined ? fences : parseHead(bytes, fences, options, createLog(options));
  return { body: extractBody(bytes, bodyStart, fences, log), bodyStart, diagnostics };
}

/** Returns the line of a whole `SKILL.md` at which the trimmed body after an offset begins, counted from 1. */
export function findBodyLine(bytes: Uint8Array, bodyStart: number): number {
  const { text } = decode(bytes.subarray(bodyStart));
  return countLines(decode(bytes.subarray(0, bodyStart)).text + text.slice(0, text.length - text.trimStart().length));
}

function createLog(options: ParseSkillOptions): DiagnosticLog {
  const { source, location = 'SKILL.md', profile = 'lenient' } = options;
  return createDiagnosticLog({ source, location }, profile);
}

function locateWhole(bytes: Uint8Array, log: DiagnosticLog): Fences | undefined {
  const limit = maxSkillBytes;
  if (bytes.length > limit) log.report('skill-too-large', undefined, { bytes: bytes.length, limit });
  const fences = findFences(bytes, true, log);
  return fences === 'needs-more' ? undefined : fences;
}

interface Head extends Pick<Frontmatter, 'fields' | 'repairs'>, Omit<NamedHead, 'diagnostics'> {
  readonly bodyStart: number;
}

function parseHead(bytes: Uint8Array, fences: Fences, options: ParseSkillOptions, log: DiagnosticLog): Head {
  const decoded = decode(bytes.subarray(fences.start, fences.end));
  const start = { line: Math.max(1, fences.line - 1), column: 1 };
  if (decoded.damaged) log.report('encoding-invalid', start, { part: 'frontmatter' });
  const text = withLineFeeds(decoded.text);
  if (text !== decoded.text && /\r(?!\n)/.test(decoded.text)) log.report('line-ends-cr', start);
  const { fields, repairs, duplicates, duplicateLines, endLine } = parseFrontmatter(text, fences, log);
  const { bodyStart } = (endLine === undefined ? undefined : fences.heading) ?? fences;
  if (fields === undefined) return { name: undefined, properties: undefined, bodyStart, fields, repairs };
  const fallbackDescription = options.describeByBody === true ? describeByBody(bytes, bodyStart) : undefined;
  const strays = findStraySwitches(text, { firstLine: fences.line, endLine, duplicateLines }, fields);
  const { directoryName } = options;
  const place = { text, firstLine: fences.line, fields };
  const context = { log, start, ...place, directoryName, duplicates, fallbackDescription, extensions: undefined };
  const { name, properties: own } = parseProperties(fields, strays, context);
  const isForbidden = options.codexSidecar !== undefined && forbidsModelInvocation(options.codexSidecar, log);
  const properties = own && isForbidden ? { ...own, disableModelInvocation: true } : own;
  return { name, properties, bodyStart, fields, repairs };
}

/** Finds a description in the first bytes of the body. */
function describeByBody(bytes: Uint8Array, bodyStart: number): string | undefined {
  return findFirstParagraph(tolerantDecoder.decode(bytes.subarray(bodyStart, maxFrontmatterBytes)));
}

function extractBody(bytes: Uint8Array, bodyStart: number, fences: Fences, log: DiagnosticLog): string {
  if (bytes.length > maxSkillBytes) return '';
  const { text, damaged } = decode(bytes.subarray(bodyStart));
  if (damaged) log.report('encoding-invalid', undefined, { part: 'body' });
  const content = fences.isWrapped ? text.slice(0, findCodeBlockEnd(text)) : text;
  const body = content.trim();
  if (body === '') log.report('body-empty', undefined);
  const placeIn = (index: number): ReturnType<typeof placeOf> => {
    const before = withLineFeeds(decode(bytes.subarray(0, bodyStart)).text + content.slice(0, index));
    return placeOf(before, before.length, 1);
  };
  const conflict = findConflict(content);
  if (conflict !== undefined) log.report('body-conflict-markers', placeIn(conflict));
  for (const [code, find] of hiders) {
    const found = find(content);
    if (found !== undefined) log.report(code, placeIn(found.index), { character: showCharacter(found.character) });
  }
  return body;
}

/** What hides text from a reviewer, and how to find it. */
const hiders = [
  ['body-control-characters', findControlCharacter],
  ['body-hidden-characters', findInvisible],
] as const;

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const tolerantDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array): { text: string; damaged: boolean } {
  try {
    return { text: strictDecoder.decode(bytes), damaged: false };
  } catch {
    return { text: tolerantDecoder.decode(bytes), damaged: true };
  }
}
