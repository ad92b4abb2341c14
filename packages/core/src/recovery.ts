// Reads frontmatter as YAML, and where that fails as it was probably meant; reports what was wrong and what was assumed.

import type { DiagnosticLog } from './diagnostic-log.ts';
import { type FrontmatterEntry, type FrontmatterNote, type FrontmatterProblem, readYaml } from './frontmatter.ts';
import { maxFrontmatterDepth, maxFrontmatterKeys } from './limits.ts';
import { type Repair, repairFrontmatter } from './repair.ts';

/** The fields of a frontmatter and the names of those that are given more than once. */
export interface Frontmatter {
  readonly fields: readonly FrontmatterEntry[];
  readonly duplicates: ReadonlySet<string>;
}

/** Reads the text between the fences; undefined where it cannot be understood. Line ends are line feeds. */
export function readFrontmatter(text: string, firstLine: number, log: DiagnosticLog): Frontmatter | undefined {
  const control = findControl(text);
  if (control !== undefined) {
    const line = firstLine + text.slice(0, control.index).split('\n').length - 1;
    const column = control.index - text.lastIndexOf('\n', control.index);
    log.report('frontmatter-control-characters', { line, column }, { character: control.name });
    return undefined;
  }
  const result = readYaml(text, firstLine);
  if (!('problem' in result)) return { fields: result.fields, duplicates: reportNotes(result.notes, log) };
  const repaired = result.problem.code === 'yaml-invalid' ? repairFrontmatter(text, firstLine) : undefined;
  if (repaired === undefined || !isDescribed(repaired.fields)) {
    reportProblem(result.problem, log);
    return undefined;
  }
  for (const repair of repaired.repairs) reportRepair(repair, log);
  return { fields: repaired.fields, duplicates: reportNotes(repaired.notes, log) };
}

/** A repair counts only where it yields a description: what is left otherwise is a guess. */
function isDescribed(fields: readonly FrontmatterEntry[]): boolean {
  const value = fields.find((field) => field.key === 'description')?.value;
  return value?.kind === 'scalar' && value.text.trim() !== '';
}

function reportNotes(notes: readonly FrontmatterNote[], log: DiagnosticLog): ReadonlySet<string> {
  const duplicates = new Set<string>();
  for (const note of notes) {
    if (note.code === 'key-invalid') {
      log.report('key-invalid', note, { kind: note.subject });
    } else {
      // What asks for permissions is reported where it is read.
      if (note.subject !== 'allowed-tools') log.report('key-duplicate', note, { field: note.subject });
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
    case 'frontmatter-too-many-keys':
      log.report('frontmatter-too-many-keys', problem, { limit: maxFrontmatterKeys });
      break;
  }
}

function reportRepair(repair: Repair, log: DiagnosticLog): void {
  const { code, field, subject } = repair;
  if (code === 'block-header-text') log.report(code, repair, { field, header: subject });
  else if (code !== 'field-unreadable') log.report(code, repair, { field });
  else if (/^allowed[-_]?tools$/i.test(field))
    log.report('allowed-tools-doubtful', repair, { problem: 'is not valid YAML' });
  else log.report(code, repair, { field, reason: subject });
}

function findControl(text: string): { readonly index: number; readonly name: string } | undefined {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a) || code === 0x7f) {
      return { index, name: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` };
    }
  }
  return undefined;
}
