// Reads frontmatter as YAML, and where that fails as it was probably meant; reports what was wrong and what was assumed.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';
import { maxFrontmatterDepth, maxFrontmatterKeys, maxFrontmatterMarks } from '../../skill/limits.ts';
import { parseFast } from '../fast/frontmatter.ts';
import type { Heading } from '../fences/fence.ts';
import type { FrontmatterEntry, FrontmatterNote, FrontmatterProblem } from '../tree.ts';
import { type Repair, type RepairedFrontmatter, repairFrontmatter } from './repair.ts';
import { parseYaml } from './yaml.ts';

/** The fields of a frontmatter and the names of those that are given more than once. */
export interface Frontmatter {
  /** Undefined where the text cannot be understood. */
  readonly fields: readonly FrontmatterEntry[] | undefined;
  readonly duplicates: ReadonlySet<string>;
  /** The line before which the frontmatter was taken to end, where the fences enclose more. */
  readonly endLine: number | undefined;
  readonly repairs: readonly Repair[];
}

/** Where the text stands in its file. */
export interface FrontmatterPlace {
  readonly firstLine: number;
  /** Where the closing fence may have been forgotten. */
  readonly heading: Heading | undefined;
}

const none: ReadonlySet<string> = new Set();
const noRepairs: readonly Repair[] = Object.freeze([]);

/** Reads the text between the fences. Line ends are line feeds. */
export function parseFrontmatter(text: string, place: FrontmatterPlace, log: DiagnosticLog): Frontmatter {
  const { firstLine, heading } = place;
  const plain = parseFast(text, firstLine);
  if (plain !== undefined) {
    reportFence(text, firstLine, log);
    return { fields: plain, duplicates: none, endLine: undefined, repairs: noRepairs };
  }
  const nothing: Frontmatter = { fields: undefined, duplicates: none, endLine: undefined, repairs: noRepairs };
  const control = findControlCharacter(text);
  if (control !== undefined) {
    log.report('frontmatter-control-characters', placeOf(text, control.index, firstLine), { character: control.name });
    return nothing;
  }
  const result = parseYaml(text, firstLine);
  if (!('problem' in result)) {
    reportFence(text, firstLine, log);
    return { ...nothing, fields: result.fields, duplicates: reportNotes(result.notes, log) };
  }
  if (heading !== undefined) {
    const lines = text.split('\n');
    const above = heading.line - firstLine;
    if (heading.glued || lines.slice(above).some(isProse)) {
      log.report('fence-close-assumed', { line: heading.line, column: 1 });
      const fields = lines.slice(0, above).join('\n');
      return { ...parseFrontmatter(fields, { firstLine, heading: undefined }, log), endLine: heading.line };
    }
  }
  const repaired = result.problem.code === 'yaml-invalid' ? repairFrontmatter(text, firstLine) : undefined;
  if (repaired === undefined || !isDescribed(repaired.fields)) {
    reportProblem(result.problem, log);
    return nothing;
  }
  reportFence(text, firstLine, log);
  for (const repair of repaired.repairs) reportRepair(repair, log);
  const unexplained = repaired.repairs.length === 0;
  if (unexplained) log.report('fields-read-apart', result.problem, { reason: result.problem.subject });
  const fields = withoutDoubtfulTools(repaired, unexplained, log);
  return { ...nothing, fields, repairs: repaired.repairs, duplicates: reportNotes(repaired.notes, log) };
}

/** Leaves out a request for permissions that may be a part of another field. */
function withoutDoubtfulTools(
  { fields, repairs }: RepairedFrontmatter,
  unexplained: boolean,
  log: DiagnosticLog,
): readonly FrontmatterEntry[] {
  return fields.filter((field) => {
    const doubtful = unexplained || repairs.some(({ open, line }) => open && line < field.line);
    if (!doubtful || !isToolsField(field.key)) return true;
    log.report('allowed-tools-doubtful', field, { problem: 'may be a part of another field' });
    return false;
  });
}

function isToolsField(key: string): boolean {
  return /^allowed[-_]?tools$/i.test(key);
}

function reportFence(text: string, firstLine: number, log: DiagnosticLog): void {
  const fence = text.indexOf('---');
  if (fence >= 0) log.report('fence-in-value', placeOf(text, fence, firstLine));
}

/** Recognises a line that stands in a body and not among fields. */
function isProse(line: string): boolean {
  return /^[^\s#\]}-]/.test(line) && !/^[\w.-]+[ \t]*:/.test(line);
}

/** A repair counts only where it yields a description: what is left otherwise is a guess. */
function isDescribed(fields: readonly FrontmatterEntry[]): boolean {
  const value = fields.find((field) => field.key === 'description')?.value;
  return value?.kind === 'scalar' && value.text.trim() !== '';
}

const carefulFields: ReadonlySet<string> = new Set(['allowed-tools', 'disable-model-invocation']);

function reportNotes(notes: readonly FrontmatterNote[], log: DiagnosticLog): ReadonlySet<string> {
  const duplicates = new Set<string>();
  for (const note of notes) {
    if (note.code === 'key-invalid') {
      log.report('key-invalid', note, { kind: note.subject });
    } else {
      // What asks for permissions or switches something is reported where it is read.
      if (!carefulFields.has(note.subject)) log.report('key-duplicate', note, { field: note.subject });
      duplicates.add(note.subject);
    }
  }
  return duplicates;
}

function reportProblem(problem: FrontmatterProblem, log: DiagnosticLog): void {
  switch (problem.code) {
    case 'yaml-invalid':
      log.report('yaml-invalid', problem, { reason: problem.subject });
      break;
    case 'yaml-forbidden':
      log.report('yaml-forbidden', problem, { construct: problem.subject });
      break;
    case 'yaml-too-deep':
      log.report('yaml-too-deep', problem, { limit: maxFrontmatterDepth });
      break;
    case 'frontmatter-not-mapping':
      log.report('frontmatter-not-mapping', problem, { kind: problem.subject });
      break;
    case 'frontmatter-too-complex':
      log.report('frontmatter-too-complex', problem, { limit: maxFrontmatterMarks });
      break;
    case 'frontmatter-too-many-keys':
      log.report('frontmatter-too-many-keys', problem, { limit: maxFrontmatterKeys });
      break;
  }
}

function reportRepair(repair: Repair, log: DiagnosticLog): void {
  const { code, field, subject } = repair;
  if (code === 'block-header-text') log.report(code, repair, { field, header: subject });
  else if (code !== 'field-unreadable') log.report(code, repair, { field });
  else if (isToolsField(field)) log.report('allowed-tools-doubtful', repair, { problem: 'is not valid YAML' });
  else log.report(code, repair, { field, reason: subject });
}

const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Finds the first control character other than a tab or a line end. */
export function findControlCharacter(text: string): { readonly index: number; readonly name: string } | undefined {
  const match = controlCharacter.exec(text);
  return match === null ? undefined : { index: match.index, name: showCharacter(match[0]) };
}

function placeOf(text: string, index: number, firstLine: number): Position {
  const before = text.slice(0, index).split('\n');
  return { line: firstLine + before.length - 1, column: (before[before.length - 1] ?? '').length + 1 };
}
