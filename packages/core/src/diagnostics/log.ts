// Collects the diagnostics of one file, so that a rule only has to name a code and a place.

import {
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticDetails,
  type DiagnosticSite,
  fillDiagnostic,
  type SkillProfile,
} from './diagnostic.ts';
import { severityOf } from './table.ts';

/** A place in the file as stored. Line and column are counted from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The diagnostics of one file so far, sorted by place. */
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
      const severity = severityOf(code, profile);
      if (severity === 'none') return;
      const place = { source, location, line: position?.line, column: position?.column };
      const added = fillDiagnostic(code, severity, place, details[0], profile);
      let next = diagnostics.length;
      while (next > 0 && comparePlaces(diagnostics[next - 1] ?? added, added) > 0) next -= 1;
      diagnostics.splice(next, 0, added);
    },
  };
}

/** Compares diagnostics by place. Those without a place are about the whole file and come first. */
function comparePlaces(a: Diagnostic, b: Diagnostic): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
