// Reads blocks of text, which begin with `|` or `>`; gives up on unusual headers and lines of spaces.

import type { FrontmatterScalar } from '../tree.ts';
import { type Cursor, findContent, indentOf, isGap, lineAt, placeAt } from './lines.ts';

const headerPattern = /[|>][-+]?(?= *$)/y;

/** Reads a block whose lines are indented more than `parent`. */
export function parseBlock(cursor: Cursor, parent: number): FrontmatterScalar | undefined {
  headerPattern.lastIndex = cursor.column;
  const [style, chomping = ''] = headerPattern.exec(lineAt(cursor))?.[0] ?? '';
  if (style === undefined) return undefined;
  const { line, column } = placeAt(cursor);
  cursor.row += 1;
  const lines = takeLines(cursor, parent);
  if (lines === undefined) return undefined;
  let end = lines.length;
  while (lines[end - 1] === '') end -= 1;
  const content = lines.slice(0, end);
  const after = chomping === '+' ? '\n'.repeat(lines.length - end + 1) : chomping === '-' ? '' : '\n';
  const text = (style === '|' ? content.join('\n') : fold(content)) + after;
  return { kind: 'scalar', text, data: text, plain: false, commented: false, line, column };
}

/** Returns the lines of a block without their indentation, and the empty lines after them. */
function takeLines(cursor: Cursor, parent: number): string[] | undefined {
  const first = cursor.row;
  const indent = findContent(cursor, -1);
  if (indent <= parent) return undefined;
  const lines: string[] = [];
  for (cursor.row = first; cursor.row < cursor.lines.length; cursor.row += 1) {
    const line = lineAt(cursor);
    const found = indentOf(line);
    if (found < indent && found < line.length) break;
    // More spaces than the indentation are content, and so are spaces on a last line without a line end.
    if (found === line.length && (found > indent || (found > 0 && cursor.row === cursor.lines.length - 1)))
      return undefined;
    lines.push(line.slice(indent));
  }
  // The text after the last line feed is not a line.
  if (cursor.row === cursor.lines.length && lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** Joins lines with spaces, except those that are empty or indented more. */
function fold(lines: readonly string[]): string {
  let text = '';
  let separator = '';
  let indented = false;
  for (const line of lines) {
    if (line === '') {
      // An empty line swallows the line break before it, except at the start.
      if (separator === ' ') separator = '\n';
      else text += '\n';
    } else if (isGap(line, 0)) {
      if (separator === ' ') separator = '\n';
      else if (!indented && separator === '\n') separator = '\n\n';
      text += separator + line;
      separator = '\n';
      indented = true;
    } else {
      text += separator + line;
      separator = ' ';
      indented = false;
    }
  }
  return text;
}
