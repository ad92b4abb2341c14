// Text of a `SKILL.md` → properties, body and diagnostics. Never throws, whatever the text.

import type { Diagnostic, SkillProfile } from '../diagnostics/diagnostic.ts';
import { createDiagnosticLog, type DiagnosticLog } from '../diagnostics/log.ts';
import { maxFrontmatterBytes, maxSkillBytes } from '../skill/limits.ts';
import type { SkillProperties } from '../skill/skill.ts';
import { type Fences, findFences } from './fences/fence.ts';
import { findFirstParagraph } from './first-paragraph.ts';
import { findControlCharacter, parseFrontmatter } from './frontmatter/frontmatter.ts';
import { forbidsModelInvocation } from './frontmatter/sidecar.ts';
import { parseProperties } from './properties/properties.ts';

export interface ParseSkillOptions {
  /**
   * Path of the file, for diagnostics.
   * @default 'SKILL.md'
   */
  readonly location?: string | undefined;
  /** Id of the source, for diagnostics. */
  readonly source?: string | undefined;
  /** Name of the directory: it has to equal `name`, and stands in for it where that is missing. */
  readonly directoryName?: string | undefined;
  /**
   * The rules that weigh the diagnostics; what is read does not depend on it.
   * @default 'lenient'
   */
  readonly profile?: SkillProfile | undefined;
  /**
   * Takes the first paragraph of the body for a missing description, with a warning, as some clients do.
   * @default false
   */
  readonly describeByBody?: boolean | undefined;
  /** Bytes of `agents/openai.yaml`, whose `policy.allow_implicit_invocation: false` is honoured. */
  readonly sidecar?: Uint8Array | undefined;
}

/** What a `SKILL.md` says. An `error` among the diagnostics means that the skill is not to be loaded under the profile. */
export interface ParsedSkill {
  /** Given whenever the name and the description were understood. */
  readonly properties: SkillProperties | undefined;
  /** Text after the frontmatter, without the blanks around it; empty where the file is too large. */
  readonly body: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParseSkillHeadOptions extends ParseSkillOptions {
  /** Says that the bytes are the whole file. */
  readonly complete: boolean;
}

/** What the first bytes of a `SKILL.md` say. */
export interface SkillHead {
  readonly properties: SkillProperties | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** True where the frontmatter does not end within the bytes and more of the file could tell; 16 KiB are always enough. */
  readonly needsMore: boolean;
}

/**
 * Parses a whole `SKILL.md`. Costs time in proportion to its length; files over 512 KiB are refused unread.
 *
 * @see https://agentskills.io/specification
 */
export function parseSkill(input: string | Uint8Array, options: ParseSkillOptions = {}): ParsedSkill {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const log = createLog(options);
  const tooLarge = bytes.length > maxSkillBytes;
  if (tooLarge) log.report('skill-too-large', undefined, { bytes: bytes.length, limit: maxSkillBytes });
  const fences = locate(bytes, true, log);
  if (fences === undefined || fences === 'needs-more') {
    return { properties: undefined, body: '', diagnostics: log.diagnostics };
  }
  const head = readHead(bytes, fences, options, log);
  const body = tooLarge ? '' : readBody(bytes.subarray(head.bodyStart), fences, log);
  return { properties: head.properties, body, diagnostics: log.diagnostics };
}

/** Parses the frontmatter of the first bytes of a `SKILL.md`; nothing of the body is decoded but for `describeByBody`. */
export function parseSkillHead(head: Uint8Array, options: ParseSkillHeadOptions): SkillHead {
  const log = createLog(options);
  const fences = locate(head, options.complete, log);
  if (fences === 'needs-more') return { properties: undefined, diagnostics: [], needsMore: true };
  if (fences === undefined) return { properties: undefined, diagnostics: log.diagnostics, needsMore: false };
  const known = options.complete || head.length >= maxFrontmatterBytes;
  const { properties, bodyStart } = readHead(head, fences, options, log);
  if (!known && options.describeByBody === true && describedByBody(log)) {
    const { ended } = findFirstParagraph(decode(head.subarray(bodyStart)).text);
    if (!ended) return { properties: undefined, diagnostics: [], needsMore: true };
  }
  return { properties, diagnostics: log.diagnostics, needsMore: false };
}

/** Tells whether the description was missing, so that the body counts. */
function describedByBody(log: DiagnosticLog): boolean {
  return log.diagnostics.some(({ code }) => bodyCodes.has(code));
}

const bodyCodes: ReadonlySet<string> = new Set(['description-assumed', 'description-missing', 'description-empty']);

function createLog(options: ParseSkillOptions): DiagnosticLog {
  const { source, location = 'SKILL.md', profile = 'lenient' } = options;
  return createDiagnosticLog({ source, location }, profile);
}

function locate(bytes: Uint8Array, complete: boolean, log: DiagnosticLog): Fences | 'needs-more' | undefined {
  const found = findFences(bytes, complete);
  switch (found.kind) {
    case 'found':
      for (const note of found.notes) log.report(note.code, note);
      return found;
    case 'needs-more':
      return 'needs-more';
    case 'encoding':
      log.report('encoding-unsupported', undefined, { encoding: found.encoding });
      return undefined;
    case 'language':
      log.report('frontmatter-language', { line: found.line, column: 1 }, { fence: found.fence });
      return undefined;
    case 'link-text':
      log.report('link-as-text', { line: found.line, column: 1 });
      return undefined;
    case 'missing':
      log.report('frontmatter-missing', { line: 1, column: 1 });
      return undefined;
    case 'unclosed':
      log.report('frontmatter-unclosed', { line: found.line, column: 1 });
      return undefined;
    case 'too-large':
      log.report('frontmatter-too-large', { line: found.line, column: 1 }, { limit: maxFrontmatterBytes });
      return undefined;
  }
}

interface ReadHead {
  readonly properties: SkillProperties | undefined;
  readonly bodyStart: number;
}

function readHead(bytes: Uint8Array, fences: Fences, options: ParseSkillOptions, log: DiagnosticLog): ReadHead {
  const decoded = decode(bytes.subarray(fences.start, fences.end));
  const start = { line: Math.max(1, fences.line - 1), column: 1 };
  if (decoded.damaged) log.report('encoding-invalid', start, { part: 'frontmatter' });
  if (decoded.text.includes('\r') && /\r(?!\n)/.test(decoded.text)) log.report('line-ends-cr', start);
  const { fields, duplicates, endLine } = parseFrontmatter(
    normalizeLineEnds(decoded.text),
    { firstLine: fences.line, heading: fences.heading },
    log,
  );
  const bodyStart = endLine === undefined ? fences.bodyStart : (fences.heading?.bodyStart ?? fences.bodyStart);
  if (fields === undefined) return { properties: undefined, bodyStart };
  const fallbackDescription = options.describeByBody === true ? describeByBody(bytes, bodyStart) : undefined;
  const context = { start, directoryName: options.directoryName, duplicates, fallbackDescription };
  const properties = parseProperties(fields, context, log);
  const forbidden = options.sidecar !== undefined && forbidsModelInvocation(options.sidecar, log);
  if (properties === undefined || !forbidden) return { properties, bodyStart };
  return { properties: { ...properties, disableModelInvocation: true }, bodyStart };
}

/** Describes a skill by its body, which beyond the first bytes says nothing about it. */
function describeByBody(bytes: Uint8Array, bodyStart: number): string | undefined {
  return findFirstParagraph(tolerantDecoder.decode(bytes.subarray(bodyStart, maxFrontmatterBytes))).text;
}

function readBody(bytes: Uint8Array, fences: Fences, log: DiagnosticLog): string {
  const { text, damaged } = decode(bytes);
  if (damaged) log.report('encoding-invalid', undefined, { part: 'body' });
  const wrapped = fences.notes.some((note) => note.code === 'frontmatter-in-code-fence');
  const body = (wrapped ? text.trimEnd().replace(/\n(?:```|~~~)$/, '') : text).trim();
  if (body === '') log.report('body-empty', undefined);
  const control = findControlCharacter(body);
  if (control !== undefined) log.report('body-control-characters', undefined, { character: control.name });
  return body;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const tolerantDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array): { text: string; damaged: boolean } {
  try {
    return { text: strictDecoder.decode(bytes), damaged: false };
  } catch {
    return { text: tolerantDecoder.decode(bytes), damaged: true };
  }
}

function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
