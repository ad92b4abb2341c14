// Reads frontmatter as YAML, or else as it was probably meant, and reports mistakes and assumptions.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxFrontmatterDepth, maxFrontmatterKeys, maxFrontmatterMarks } from '../../skill/limits.ts';
import { findControlCharacter } from '../../text/invisible.ts';
import { placeOf } from '../../text/place.ts';
import { parseFast } from '../fast/frontmatter.ts';
import type { Fences, Heading } from '../fences/fence.ts';
import { isToolsField } from '../properties/switches.ts';
import type { FrontmatterFields, Repair } from '../repair.ts';
import type { FrontmatterEntry, FrontmatterNote, FrontmatterProblem } from '../tree.ts';
import { parseFieldsApart } from './fields-apart.ts';
import { findForeignCharacter } from './foreign-character.ts';
import { parseYaml } from './yaml.ts';

/** The fields of a frontmatter, and the repairs that were needed to read them. */
export interface Frontmatter {
  /** Undefined if the text cannot be understood. */
  readonly fields: readonly FrontmatterEntry[] | undefined;
  /** Keys that are given more than once. */
  readonly duplicates: ReadonlySet<string>;
  /** The lines of the repeated keys that do not count. */
  readonly duplicateLines: readonly number[];
  /** The line at which the body is assumed to begin, if the fences enclose more than fields. */
  readonly endLine: number | undefined;
  readonly repairs: readonly Repair[];
}

const nothing: Frontmatter = {
  fields: undefined,
  duplicates: new Set(),
  duplicateLines: [],
  endLine: undefined,
  repairs: [],
};

/** Reads the text between the fences. Line ends are line feeds. */
export function parseFrontmatter(
  text: string,
  { line: firstLine, heading }: Pick<Fences, 'line' | 'heading'>,
  log: DiagnosticLog,
): Frontmatter {
  const fast = parseFast(text, firstLine);
  if (fast?.repairs.length === 0 && isDescribed(fast.fields)) return accept(text, firstLine, fast, log);
  if (reportDamage(text, firstLine, log)) return nothing;
  // Below a heading, what looks like a mistake may be the body.
  if (fast !== undefined && heading === undefined && isDescribed(fast.fields)) {
    return accept(text, firstLine, fast, log);
  }
  const result = parseYaml(text, firstLine);
  if (!('problem' in result)) {
    const apart = isDescribed(result.fields) ? undefined : describeApart(text, firstLine);
    return accept(text, firstLine, apart ?? { ...result, repairs: [] }, log);
  }
  const above = heading === undefined ? undefined : fieldsAbove(heading, text, firstLine);
  if (heading === undefined || above === undefined) return acceptApart(text, firstLine, result.problem, log);
  log.report('fence-close-assumed', { line: heading.line, column: 1 });
  return { ...parseFrontmatter(above, { line: firstLine, heading: undefined }, log), endLine: heading.line };
}

/** Finds a description behind a wide colon, which to YAML is a part of the key if another colon follows: `description：支持 a: b`. */
function describeApart(text: string, firstLine: number): FrontmatterFields | undefined {
  const apart = parseFieldsApart(text, firstLine);
  const isMeant = apart?.repairs.some(({ code }) => code === 'colon-space-missing') && isDescribed(apart.fields);
  return isMeant ? apart : undefined;
}

/** Reports a merge conflict or a control character. False if there is neither. */
function reportDamage(text: string, firstLine: number, log: DiagnosticLog): boolean {
  const conflict = /^(?:<{7}|>{7})(?: |$)/m.exec(text);
  if (conflict !== null) {
    log.report('conflict-markers', placeOf(text, conflict.index, firstLine));
    return true;
  }
  const control = findControlCharacter(text);
  if (control === undefined) return false;
  const character = showCharacter(control.character);
  log.report('frontmatter-control-characters', placeOf(text, control.index, firstLine), { character });
  return true;
}

/** Reads each field by itself. If there is no description then, reports what is wrong with the whole frontmatter. */
function acceptApart(text: string, firstLine: number, problem: FrontmatterProblem, log: DiagnosticLog): Frontmatter {
  // Without a space after any colon, all fields are one text to YAML.
  const isReadable = problem.code === 'yaml-invalid' || problem.code === 'frontmatter-not-mapping';
  const apart = isReadable ? parseFieldsApart(text, firstLine) : undefined;
  if (apart !== undefined && isDescribed(apart.fields)) {
    return accept(text, firstLine, apart, log, apart.repairs.length === 0 ? problem : undefined);
  }
  reportProblem(problem, log);
  return nothing;
}

/** Returns the text above a heading if the body begins there; undefined if the heading may be a comment between fields. */
function fieldsAbove({ line, glued }: Heading, text: string, firstLine: number): string | undefined {
  const lines = text.split('\n');
  const above = line - firstLine;
  return glued || lines.slice(above).some(isProse) ? lines.slice(0, above).join('\n') : undefined;
}

/**
 * Reports repairs and left-out entries, and returns the fields.
 *
 * @param unexplained what is wrong with the whole frontmatter if each field by itself is fine
 */
function accept(
  text: string,
  firstLine: number,
  { fields, notes, repairs }: FrontmatterFields,
  log: DiagnosticLog,
  unexplained?: FrontmatterProblem,
): Frontmatter {
  const brace = /^(?:[ \t]*(?:#.*)?\n)*[ \t]*\{/.exec(text);
  if (brace !== null) log.report('yaml-flow', placeOf(text, brace[0].length - 1, firstLine), { field: 'frontmatter' });
  const fence = text.indexOf('---');
  if (fence >= 0) log.report('fence-in-value', placeOf(text, fence, firstLine));
  const foreign = findForeignCharacter(text);
  // A tab as indentation has its own code.
  if (foreign !== undefined && !repairs.some(({ code }) => code === 'tab-indentation')) {
    const character = showCharacter(foreign.character);
    log.report('character-foreign', placeOf(text, foreign.index, firstLine), { character });
  }
  for (const repair of repairs) reportRepair(repair, log);
  if (unexplained !== undefined) log.report('fields-read-apart', unexplained, { reason: unexplained.subject });
  const allowed = fields.filter((field) => {
    // What looks like a request for tools may be a part of the field above it.
    const isDoubted = ({ open, code, line }: Repair): boolean =>
      open ? line < field.line : code === 'colon-space-missing' && line === field.line;
    const doubtful = unexplained !== undefined || repairs.some(isDoubted);
    if (!doubtful || !isToolsField(field.key)) return true;
    log.report('allowed-tools-doubtful', field, { problem: 'may be a part of another field' });
    return false;
  });
  const duplicates = reportNotes(notes, log);
  return { fields: allowed, duplicates, duplicateLines: notes.map(({ line }) => line), endLine: undefined, repairs };
}

/** Recognises a line that belongs to the body: it is neither a field nor indented below one. */
function isProse(line: string): boolean {
  return /^[^\s#\]}-]/.test(line) && !/^[\w.-]+[ \t]*:/.test(line);
}

/** Checks whether there is a description, because without one a repair would be a guess. */
function isDescribed(fields: readonly FrontmatterEntry[]): boolean {
  const value = fields.find((field) => field.key === 'description')?.value;
  return value?.kind === 'scalar' && value.text.trim() !== '';
}

const switches: ReadonlySet<string> = new Set(['disable-model-invocation', 'user-invocable', 'metadata.internal']);

function reportNotes(notes: readonly FrontmatterNote[], log: DiagnosticLog): ReadonlySet<string> {
  const duplicates = new Set<string>();
  for (const note of notes) {
    if (note.code === 'key-invalid') {
      log.report('key-invalid', note, { kind: note.subject });
    } else {
      const field = note.subject;
      const outcome = switches.has(field) ? 'it restricts the skill' : 'the first value counts';
      // Duplicate requests for tools have a code of their own.
      if (field !== 'allowed-tools') log.report('key-duplicate', note, { field, outcome });
      duplicates.add(field);
    }
  }
  return duplicates;
}

const limits = {
  'yaml-too-deep': maxFrontmatterDepth,
  'frontmatter-too-complex': maxFrontmatterMarks,
  'frontmatter-too-many-keys': maxFrontmatterKeys,
};

function reportProblem(problem: FrontmatterProblem, log: DiagnosticLog): void {
  const { code, subject } = problem;
  if (subject.startsWith('tabs are not allowed')) log.report('yaml-tab', problem);
  else if (code === 'yaml-invalid') log.report(code, problem, { reason: subject });
  else if (code === 'yaml-forbidden') log.report(code, problem, { construct: subject });
  else if (code === 'frontmatter-not-mapping') log.report(code, problem, { kind: subject });
  else log.report(code, problem, { limit: limits[code] });
}

function reportRepair(repair: Repair, log: DiagnosticLog): void {
  const { code, field, subject, culprit: place = repair } = repair;
  if (code === 'block-header-text') log.report(code, place, { field, header: subject });
  else if (code !== 'field-unreadable') log.report(code, place, { field });
  else if (isToolsField(field)) log.report('allowed-tools-doubtful', place, { problem: 'is not valid YAML' });
  else log.report(code, place, { field, reason: subject });
}
