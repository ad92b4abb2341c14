// Defines a fix as edits of the lines of a text.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { keyOf } from '../field-lines.ts';
import type { Repair } from '../repair.ts';
import type { FrontmatterEntry } from '../tree.ts';

/** The text as lines with their line ends, the diagnostic to fix, and what was parsed from the text. */
export interface FixInput {
  readonly lines: readonly string[];
  readonly diagnostic: Diagnostic;
  readonly fields: readonly FrontmatterEntry[];
  readonly repairs: readonly Repair[];
  /** The row of the closing fence, or -1. */
  readonly fence: number;
  readonly directoryName: string | undefined;
}

/** Consecutive lines, counted from 0. */
export interface Rows {
  readonly start: number;
  /** The row after the last one. */
  readonly end: number;
}

/** Rows to replace with other lines. Without rows, the lines are added above `start`. */
export interface Edit extends Rows {
  readonly by: readonly string[];
}

/** Returns the edits that fix a mistake, or undefined if the case is not clear. */
export type Fixer = (input: FixInput) => readonly Edit[] | undefined;

/** Returns the text after edits that do not overlap. */
export function applyEdits(lines: readonly string[], edits: readonly Edit[]): string {
  let text = '';
  let row = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    text += lines.slice(row, start).join('') + by.join('');
    row = end;
  }
  return text + lines.slice(row).join('');
}

/** Returns the line end for a line beside or instead of this one. */
export function endOf(line: string | undefined): string {
  return line?.endsWith('\r\n') ? '\r\n' : '\n';
}

/** Returns a line without its line end. */
export function contentOf(line: string | undefined): string {
  return (line ?? '').replace(/(?:\r\n|\n|\r)$/, '');
}

/** Returns the row of the closing fence, or -1. */
export function findFence(lines: readonly string[], fields: readonly FrontmatterEntry[]): number {
  return lines.findIndex((line, row) => row >= (fields.at(-1)?.line ?? 0) && /^---\s*$/.test(line));
}

/**
 * Returns the first row of an entry, and the row after its last one. The entry ends before the next field or the fence, without
 * empty lines and comments below it. Undefined if there is no fence yet, or if the entry contains a comment, which would get lost.
 */
export function rowsOf(
  { lines, fields, fence }: Pick<FixInput, 'lines' | 'fields' | 'fence'>,
  { line, column }: FrontmatterEntry,
): Rows | undefined {
  if (fence < 0) return undefined;
  const next = (fields.find((other) => other.line > line)?.line ?? fence + 1) - 1;
  // A field that was left out, such as a duplicate, is not among the fields.
  let end = lines.findIndex((content, row) => row >= line && (row === next || beginsField(content, column)));
  while (end > line && isBelow(contentOf(lines[end - 1]), column)) end -= 1;
  const isCommented = lines.slice(line - 1, end).some((content) => /(?:^|\s)#/.test(content));
  return isCommented ? undefined : { start: line - 1, end };
}

/** Recognises an empty line, or a comment that is not indented below a key in this column, so that it cannot be text. */
function isBelow(content: string, column: number): boolean {
  const [, indent = '', rest] = /^(\s*)(.?)/.exec(content) ?? [];
  return rest === '' || (rest === '#' && indent.length < column);
}

function beginsField(content: string, column: number): boolean {
  const indent = /^ */.exec(content)?.[0].length ?? 0;
  return indent < column && keyOf(contentOf(content).slice(indent)) !== undefined;
}
