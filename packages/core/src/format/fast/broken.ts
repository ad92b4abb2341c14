// Recognises the most common mistakes in a field, so that the slow YAML parser need not find them.

import type { FieldLines } from '../field-lines.ts';
import { parseFlow } from './flow.ts';
import { endLine, indentOf, skipSpaces } from './lines.ts';
import { findQuote } from './quoted.ts';
import { canBegin, parsePiece } from './scalar.ts';

/** Tabs, and lines that begin with the mark of an explicit key or value. */
const unusual = /\t|^ *[:?](?: |$)/;

/**
 * Checks whether a YAML parser certainly refuses a field, whatever follows it; false if in doubt.
 *
 * @param line the first line of the field, as written
 */
export function isBroken(line: string, { key, first, rest }: FieldLines): boolean {
  // If a comment is above the value, the `yaml` package may accept lines that are not indented.
  if (first === '' || !line.startsWith(key) || [line, ...rest].some((each) => unusual.test(each))) return false;
  const stray = rest.find((below) => below !== '' && below[0] !== ' ' && below[0] !== '#');
  if (stray !== undefined && isStray(stray, first)) return true;
  switch (first.charAt(0)) {
    case '|':
    case '>':
      // Text after the header of a block.
      return canBegin(first, /^.[-+\d]* +/.exec(first)?.[0].length ?? first.length);
    case '"':
    case "'":
      return isMisquoted(first, rest);
    case '[': {
      // Text after a list, but not the colon that makes the list a key.
      const cursor = { lines: [first], firstLine: 1, row: 0, column: 0, keys: 0, notes: [] };
      if (parseFlow(cursor, 0, 2) === undefined || endLine(cursor)) return false;
      return first[skipSpaces(first, cursor.column)] !== ':';
    }
    case '*':
    case '@':
    case '`':
      return true;
    default:
      return first.startsWith('- ') || (canBegin(first, 0) && hasColon([first, ...rest]));
  }
}

/** Recognises a line that can be neither a key nor part of the value, such as unindented text. */
function isStray(line: string, first: string): boolean {
  if (line.startsWith('*')) return true;
  if (line.startsWith('- ')) return canBegin(first, 0);
  return canBegin(line, 0) && parsePiece(line, 0) !== undefined && !/^(?:---|\.\.\.)/.test(line);
}

/** Recognises text after the closing quote, and a quote that is never closed in the value. */
function isMisquoted(first: string, rest: readonly string[]): boolean {
  const quote = first.charAt(0);
  const end = findQuote(first, 1, quote);
  if (end >= 0 && end < first.length - 1) return !/^ +#/.test(first.slice(end + 1));
  if (end < 0 && first.endsWith(quote)) return false;
  for (const line of rest) {
    const indent = indentOf(line);
    if (indent === line.length) continue;
    if (end >= 0) return indent > 0 && line[indent] !== '#';
    if (indent === 0) return true;
    if (findQuote(line, indent, quote) >= 0 || line.trimEnd().endsWith(quote)) return false;
  }
  return end < 0;
}

/** Recognises the colon of a key in text without quotes, up to the first comment. */
function hasColon(lines: readonly string[]): boolean {
  for (const [row, line] of lines.entries()) {
    const indent = indentOf(line);
    if (indent === line.length) continue;
    if (row > 0 && (indent === 0 || line[indent] === '#')) return false;
    if (parsePiece(line, indent) === undefined) return true;
    if (line.includes(' #', indent)) return false;
  }
  return false;
}
