// Reads values without quotes, on one line or folded over several; gives up if they could be something else.

import type { FrontmatterScalar } from '../tree.ts';
import { type Cursor, indentOf, isGap, lineAt, placeAt } from './lines.ts';

const indicators = '!&#{[}]*"\'|>,%@`\t';

/** Checks whether a text without quotes may begin at an index of a line. */
export function canBegin(line: string, index: number): boolean {
  const first = line.charAt(index);
  if (indicators.includes(first)) return false;
  return !(first === '-' || first === '?' || first === ':') || !isGap(line, index + 1);
}

/** Reads a text, with its further lines if they are indented more than `parent`. */
export function parsePlainScalar(cursor: Cursor, parent: number): FrontmatterScalar | undefined {
  const line = lineAt(cursor);
  if (!canBegin(line, cursor.column)) return undefined;
  const place = placeAt(cursor);
  let piece = parsePiece(line, cursor.column);
  if (piece === undefined) return undefined;
  let text = piece;
  let single = true;
  let commented = hasComment(line, cursor.column + piece.length);
  cursor.row += 1;
  for (let row = cursor.row, breaks = 0; !commented && row < cursor.lines.length; row += 1) {
    const more = cursor.lines[row] ?? '';
    const indent = indentOf(more);
    if (indent === more.length) {
      breaks += 1;
      continue;
    }
    if (indent <= parent) break;
    const first = more.charCodeAt(indent);
    // The `yaml` package takes a comment with the indentation of the text as part of it, and some readers take a tab as
    // indentation.
    if (first === 0x23 || first === 0x09) return undefined;
    piece = parsePiece(more, indent);
    if (piece === undefined) return undefined;
    text += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + piece;
    breaks = 0;
    single = false;
    commented = hasComment(more, indent + piece.length);
    cursor.row = row + 1;
  }
  const data = single ? resolveCore(text) : text;
  return { kind: 'scalar', text, data, plain: true, commented, line: place.line, column: place.column };
}

/** Returns the text from an index up to a comment or the end of the line; undefined if it could be the key of a map. */
export function parsePiece(line: string, from: number): string | undefined {
  let end = line.length;
  // Looks for `#` alone first, because it is much rarer than a space.
  const comment = line.includes('#', from) ? line.indexOf(' #', from) : -1;
  if (comment >= 0) end = comment;
  while (isGap(line, end - 1)) end -= 1;
  const tab = line.indexOf('\t', from);
  if (tab >= 0 && tab < end) return undefined;
  const colon = line.indexOf(': ', from);
  if ((colon >= 0 && colon < end) || line.charCodeAt(end - 1) === 0x3a) return undefined;
  return line.slice(from, end);
}

function hasComment(line: string, from: number): boolean {
  return from < line.length && line.includes(' #', from);
}

/** First characters of values that may be something other than text. */
const beginnings = '~nNtTfF.+-0123456789';

/** Converts a text without quotes by the core schema of YAML 1.2: to a number, a boolean, null or text. */
export function resolveCore(text: string): FrontmatterScalar['data'] {
  if (text !== '' && !beginnings.includes(text.charAt(0))) return text;
  if (text.length <= 5) {
    if (/^(?:~|null|Null|NULL)?$/.test(text)) return null;
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    if (/^(?:false|False|FALSE)$/.test(text)) return false;
    if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text[0] === '-' ? -Infinity : Infinity;
    if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  }
  if (/^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/.test(text)) return Number(text);
  return text;
}
