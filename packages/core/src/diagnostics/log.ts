// Collects the diagnostics of one file, so that a rule names only a code and a place.

import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticArguments,
  type DiagnosticCode,
  type DiagnosticDetails,
  type DiagnosticSite,
  type SkillProfile,
} from './diagnostic.ts';
import { severityOf } from './table.ts';

/** A place in the file as stored, both counted from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The diagnostics of one file so far, sorted by place, and the one way to add to them. */
export interface DiagnosticLog {
  readonly diagnostics: readonly Diagnostic[];
  /** Adds a diagnostic if its code is reported under the profile. */
  report<Code extends DiagnosticCode>(
    code: Code,
    position: Position | undefined,
    ...details: [keyof DiagnosticDetails<Code>] extends [never] ? [] : [details: DiagnosticDetails<Code>]
  ): void;
}

/** Creates an empty log for a file. */
export function createDiagnosticLog(site: DiagnosticSite, profile: SkillProfile): DiagnosticLog {
  const { source, location } = site;
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    report(code, position, ...details) {
      if (severityOf(code, profile) === 'none') return;
      const rest = [details[0], profile] as DiagnosticArguments<typeof code>;
      const place = { source, location, line: position?.line, column: position?.column };
      const added = createDiagnostic(code, place, ...rest);
      const next = diagnostics.findIndex((known) => comparePlaces(known, added) > 0);
      diagnostics.splice(next < 0 ? diagnostics.length : next, 0, added);
    },
  };
}

/** Compares diagnostics by their place; one without a place, about the whole file, comes first. */
function comparePlaces(a: Diagnostic, b: Diagnostic): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
