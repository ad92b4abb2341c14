// Cuts long texts into pages of whole lines, each with its place in the text and where the next one begins.

import { beforeLines, countLines, type Line, moveLine } from './lines.ts';

/** A part of a text, in lines counted from 1. */
export interface Page {
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  /** First line of the next page; absent on the last one. */
  readonly nextLine?: number;
  /** Set if a single line is too long for a page: the character of the line, from 0, at which the rest of it begins. */
  readonly nextCharacter?: number;
}

export interface PageRange {
  /** @default 1 */
  readonly line?: number | undefined;
  /**
   * Character of the first line to begin at, in UTF-16 units, for lines that are longer than a page.
   * @default 0
   */
  readonly character?: number | undefined;
  /** The most lines to return. */
  readonly limit?: number | undefined;
  /** The last line to return, for the end of a section. */
  readonly lastLine?: number | undefined;
}

/** Characters of a page at most: about 10,000 tokens. */
const pageCharacters = 40_000;

/** Cuts one page out of a text; `undefined` if the first line is past its end. */
export function cutPage(text: string, range: PageRange = {}): Page | undefined {
  const { line: firstLine = 1, lastLine: end = Infinity, limit = Infinity } = range;
  const last = Math.min(end, firstLine + limit - 1);
  const kept: string[] = [];
  let characters = 0;
  let cut: Pick<Page, 'nextLine' | 'nextCharacter'> = {};
  const place = beforeLines();
  let number = 0;
  while (number < last && characters <= pageCharacters && moveLine(text, place)) {
    if (isBehindLast(text, place, number)) break;
    number += 1;
    if (number < firstLine) continue;
    const whole = text.slice(place.start, place.end);
    const character = number === firstLine ? endOfCharacter(whole, range.character ?? 0) : 0;
    characters += whole.length - character + 1;
    if (number === firstLine && whole.length - character > pageCharacters) {
      const length = endOfCharacter(whole.slice(character), pageCharacters);
      kept.push(whole.slice(character, character + length));
      cut = { nextLine: firstLine, nextCharacter: character + length };
    } else if (number === firstLine || characters - 1 <= pageCharacters) {
      kept.push(whole.slice(character));
    }
  }
  if (kept.length === 0) return undefined;
  const lastLine = firstLine + kept.length - 1;
  const totalLines = countPageLines(text);
  const next = lastLine < totalLines ? { nextLine: lastLine + 1 } : {};
  return { text: kept.join('\n'), firstLine, lastLine, totalLines, ...next, ...cut };
}

/** Counts the lines of a text as pages do: a line break at the very end does not begin a line. */
export function countPageLines(text: string): number {
  const count = countLines(text);
  return count > 1 && /[\r\n]$/.test(text.slice(-1)) ? count - 1 : count;
}

/** Recognises the empty line behind the line break at the very end. */
function isBehindLast(text: string, { start }: Line, before: number): boolean {
  return before > 0 && start === text.length;
}

/** Keeps a cut from falling between the halves of a surrogate pair. */
export function endOfCharacter(text: string, index: number): number {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, index - 1), index + 1));
  return index > 0 && isPair ? index - 1 : index;
}
