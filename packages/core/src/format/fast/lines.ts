// Walks the lines of a frontmatter for the readers of this folder.

import type { Position } from '../../diagnostics/log.ts';
import type { FrontmatterEntry, FrontmatterNote } from '../tree.ts';

/** The lines, with the row and the column to read next, both counted from 0. */
export interface Cursor {
  readonly lines: readonly string[];
  /** Line of the file on which the text begins. */
  readonly firstLine: number;
  row: number;
  column: number;
  /** Keys read so far, at every depth. */
  keys: number;
  /** Keys that were given before, each with its path below the map that is read. */
  readonly notes: FrontmatterNote[];
}

/** Returns the line at the cursor, or an empty text past the last line. */
export function lineAt(cursor: Cursor): string {
  return cursor.lines[cursor.row] ?? '';
}

/** Returns the place of the cursor in the file. */
export function placeAt(cursor: Cursor): Position {
  return { line: cursor.firstLine + cursor.row, column: cursor.column + 1 };
}

/** Counts the spaces at the beginning of a line. */
export function indentOf(line: string): number {
  return skipSpaces(line, 0);
}

/** Returns the index of the next character that is not a space. */
export function skipSpaces(line: string, from: number): number {
  let index = from;
  while (line.charCodeAt(index) === 0x20) index += 1;
  return index;
}

/** Recognises a space, a tab or the end of the line. */
export function isGap(line: string, index: number): boolean {
  const code = line.charCodeAt(index);
  return code === 0x20 || code === 0x09 || index >= line.length;
}

/** Recognises the dash of a list. */
export function isDash(line: string, index: number): boolean {
  return line.charCodeAt(index) === 0x2d && isGap(line, index + 1);
}

/**
 * Moves to the next line with content and returns its indentation, or -1 past the last line. Also stops at a comment that is
 * indented more than `indent`, because it belongs to a value.
 */
export function findContent(cursor: Cursor, indent: number): number {
  for (; cursor.row < cursor.lines.length; cursor.row += 1) {
    const line = lineAt(cursor);
    const found = indentOf(line);
    if (found === line.length || (line.charCodeAt(found) === 0x23 && found <= indent)) continue;
    cursor.column = found;
    return found;
  }
  return -1;
}

/** Moves to the next line if only spaces and a comment are left on this one. */
export function endLine(cursor: Cursor): boolean {
  const line = lineAt(cursor);
  let index = cursor.column;
  while (index < line.length && isGap(line, index)) index += 1;
  if (index < line.length && (line.charCodeAt(index) !== 0x23 || index === cursor.column)) return false;
  cursor.row += 1;
  return true;
}

/** Checks whether one of the entries has a key. */
export function hasKey(entries: readonly FrontmatterEntry[], key: string): boolean {
  return entries.some((entry) => entry.key === key);
}
