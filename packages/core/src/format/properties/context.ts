// What every function that parses a field is given.

import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';

/** What is known about a skill besides its fields, and where to report what is wrong with them. */
export interface PropertiesContext {
  readonly log: DiagnosticLog;
  /** Where to report a missing field. */
  readonly start: Position;
  /** Must equal `name`, and replaces a missing one. */
  readonly directoryName: string | undefined;
  /** Keys that are given more than once. */
  readonly duplicates: ReadonlySet<string>;
  /** Used if there is no description. */
  readonly fallbackDescription?: string | undefined;
}
