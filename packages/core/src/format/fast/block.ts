// Reads blocks of text, which begin with `|` or `>`; gives up on unusual headers, lines of spaces and folded lines that are indented more.

import type { FrontmatterScalar } from '../tree.ts';
import { type Cursor, findContent, indentOf, lineAt, placeAt } from './lines.ts';

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
  const written = style === '|' ? content.join('\n') : fold(content);
  if (written === undefined) return undefined;
  const text = written + after;
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

/** Joins lines: a line break becomes a space, and several in a row lose the first one. Undefined if that is not all. */
function fold(lines: readonly string[]): string | undefined {
  const text = lines.join('\n');
  // No line break is lost at the beginning, or beside a line that is indented more.
  if (/^\n|(?:^|\n)[ \t]/.test(text)) return undefined;
  return text.replace(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)));
}
