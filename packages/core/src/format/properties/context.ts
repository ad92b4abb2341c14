// Defines what every function that parses a field needs.

import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';
import { createRecord } from '../tree.ts';

/** The facts about a skill besides its fields, and where to put what is not a property. */
export interface PropertiesContext {
  readonly log: DiagnosticLog;
  /** Where to report a missing field. */
  readonly start: Position;
  /** Must equal `name`, and replaces a missing `name`. */
  readonly directoryName: string | undefined;
  /** Keys that are given more than once. */
  readonly duplicates: ReadonlySet<string>;
  /** Used if there is no description. */
  readonly fallbackDescription?: string | undefined;
  /** The values that are not properties; undefined if there are none. */
  extensions: Record<string, unknown> | undefined;
}

/** Keeps a value among the extensions. */
export function extend(context: PropertiesContext, key: string, value: unknown): void {
  context.extensions ??= createRecord<unknown>();
  context.extensions[key] = value;
}
