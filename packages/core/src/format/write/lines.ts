// Defines the input of a fix: the lines of a text, and what was parsed from them.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Repair } from '../repair.ts';
import type { FrontmatterEntry } from '../tree.ts';

/** The text as lines with their line ends, the diagnostic to fix, and what was parsed from the text. */
export interface FixInput {
  readonly lines: readonly string[];
  readonly diagnostic: Diagnostic;
  readonly fields: readonly FrontmatterEntry[];
  readonly repairs: readonly Repair[];
  readonly directoryName: string | undefined;
}

/** Returns the fixed lines, or undefined if the case is not clear. */
export type Fixer = (input: FixInput) => readonly string[] | undefined;

export function endOf(line: string | undefined): string {
  return /(?:\r\n|\n|\r)$/.exec(line ?? '')?.[0] ?? '\n';
}

export function contentOf(line: string | undefined): string {
  return (line ?? '').replace(/(?:\r\n|\n|\r)$/, '');
}

/**
 * Returns the first row of an entry, and the row after its last one. The entry ends before the next entry or the fence, without
 * trailing empty lines. Undefined if it contains a comment, which would get lost.
 */
export function rowsOf(
  lines: readonly string[],
  { line }: FrontmatterEntry,
  others: readonly FrontmatterEntry[],
): readonly [number, number] | undefined {
  const fence = lines.findIndex((content, row) => row >= line && /^---\s*$/.test(content));
  const next = others.map((other) => other.line - 1).filter((row) => row >= line);
  let end = Math.min(...next, fence < 0 ? lines.length : fence);
  while (end > line && contentOf(lines[end - 1]).trim() === '') end -= 1;
  const isCommented = lines.slice(line - 1, end).some((content) => /(?:^|\s)#/.test(content));
  return isCommented ? undefined : [line - 1, end];
}
