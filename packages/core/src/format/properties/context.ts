// Defines what every function that parses a field needs.

import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';
import { createRecord, type FrontmatterEntry } from '../tree.ts';

/** The facts about a skill besides its fields, and where to put what is not a property. */
export interface PropertiesContext {
  readonly log: DiagnosticLog;
  /** The whole frontmatter, and the line of the file on which it begins. */
  readonly text: string;
  readonly firstLine: number;
  readonly fields: readonly FrontmatterEntry[];
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

/** Returns where a part of a value is in the file, or else where the value begins, because an escape is written in another way. */
export function findInValue({ line, value }: FrontmatterEntry, part: string, context: PropertiesContext): Position {
  const { text, firstLine, fields } = context;
  const lines = text.split('\n');
  const next = fields.find((other) => other.line > line)?.line ?? firstLine + lines.length;
  for (let at = value.line; at < next; at += 1) {
    const content = lines[at - firstLine] ?? '';
    const from = at === value.line ? value.column - 1 : 0;
    // The header of a block is not a part of its text.
    const isHeader = at === value.line && /^[|>][-+\d]*\s*(?:#|$)/.test(content.slice(from));
    const found = isHeader ? -1 : content.indexOf(part, from);
    if (found >= 0) return { line: at, column: found + 1 };
  }
  return value;
}
