// Recognises the most common mistakes in a field, so that the slow YAML parser need not find them.

import type { FieldLines } from '../field-lines.ts';
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
    case "'": {
      // Text after the closing quote.
      const end = findQuote(first, 1, first.charAt(0));
      return end >= 0 && /^(?! +#)./.test(first.slice(end + 1));
    }
    case '*':
    case '@':
    case '`':
      return true;
    default:
      // The colon of a key in text without quotes.
      return first.startsWith('- ') || (canBegin(first, 0) && parsePiece(first, 0) === undefined);
  }
}

/** Recognises a line that can be neither a key nor part of the value, such as unindented text. */
function isStray(line: string, first: string): boolean {
  if (line.startsWith('*')) return true;
  if (line.startsWith('- ')) return canBegin(first, 0);
  return canBegin(line, 0) && parsePiece(line, 0) !== undefined && !/^(?:---|\.\.\.)/.test(line);
}
