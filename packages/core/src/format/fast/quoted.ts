// Reads texts in quotes, on one line or folded over several; gives up on unknown escapes.

import { type Cursor, indentOf, isGap, lineAt } from './lines.ts';

const escapeNames = '0abefnrtvN_LP "/\\\t';
const escapedCharacters = '\0\x07\b\x1b\f\n\r\t\v\u0085\u00a0\u2028\u2029 "/\\\t';
const escapes: ReadonlyMap<string, string> = new Map(
  [...escapeNames].map((name, index) => [name, escapedCharacters.charAt(index)]),
);
const hexLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads a text in quotes and moves past it. Every line but the first is indented more than `parent`. */
export function parseQuoted(cursor: Cursor, parent: number): string | undefined {
  const first = lineAt(cursor);
  const quote = first.charAt(cursor.column);
  const from = cursor.column + 1;
  let end = findQuote(first, from, quote);
  if (end >= 0) {
    cursor.column = end + 1;
    return resolveEscapes(first.slice(from, end), quote);
  }
  let text = '';
  let piece = trimEnd(first.slice(from));
  for (let breaks = 0; end < 0; ) {
    cursor.row += 1;
    if (cursor.row >= cursor.lines.length) return undefined;
    const line = lineAt(cursor);
    const indent = indentOf(line);
    if (indent === line.length) {
      breaks += 1;
      continue;
    }
    const read = resolveEscapes(piece, quote);
    if (read === undefined || indent <= parent || line.charCodeAt(indent) === 0x09) return undefined;
    text += read + (breaks === 0 ? ' ' : '\n'.repeat(breaks));
    breaks = 0;
    end = findQuote(line, indent, quote);
    piece = end < 0 ? trimEnd(line.slice(indent)) : line.slice(indent, end);
    cursor.column = end + 1;
  }
  const last = resolveEscapes(piece, quote);
  return last === undefined ? undefined : text + last;
}

/** Finds the closing quote of a text on one line. */
export function findQuote(line: string, from: number, quote: string): number {
  let index = line.indexOf(quote, from);
  if (quote === '"') {
    while (index >= 0 && isEscaped(line, index)) index = line.indexOf(quote, index + 1);
  } else {
    while (index >= 0 && line[index + 1] === quote) index = line.indexOf(quote, index + 2);
  }
  return index;
}

/** Checks whether an odd number of backslashes comes before an index. */
function isEscaped(line: string, index: number): boolean {
  let start = index;
  while (line.charCodeAt(start - 1) === 0x5c) start -= 1;
  return (index - start) % 2 === 1;
}

function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isGap(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

/** Resolves the escapes of a text on one line; undefined if one is unknown. */
function resolveEscapes(text: string, quote: string): string | undefined {
  if (quote === "'") return text.includes("'") ? text.replaceAll("''", "'") : text;
  let from = 0;
  let resolved = '';
  for (let index = text.indexOf('\\'); index >= 0; index = text.indexOf('\\', from)) {
    const name = text.charAt(index + 1);
    const length = hexLengths.get(name) ?? 0;
    const character = length > 0 ? parseHex(text.slice(index + 2, index + 2 + length), length) : escapes.get(name);
    if (character === undefined) return undefined;
    resolved += text.slice(from, index) + character;
    from = index + 2 + length;
  }
  return from === 0 ? text : resolved + text.slice(from);
}

function parseHex(digits: string, length: number): string | undefined {
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return code > 0x10ffff ? undefined : String.fromCodePoint(code);
}
