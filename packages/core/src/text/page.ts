// Cuts long texts into pages of whole lines, so that a model can read them one by one.

import { beforeLines, type Line, linesAtOnce, moveLine } from './lines.ts';

/** A part of a text, in lines counted from 1. */
export interface Page {
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  /** Set if the page does not begin with a whole line: its first character of that line, counted from 0. */
  readonly firstCharacter?: number;
  /** First line of the next page; absent on the last one. */
  readonly nextLine?: number;
  /** Set if a single line is too long for a page: the character of the line, counted from 0, at which the next page begins. */
  readonly nextCharacter?: number;
}

/** The part of a text that a page shows. */
export interface PageRange {
  /** @default 1 */
  readonly line?: number | undefined;
  /**
   * Character of the first line to begin at, counted from 0 in UTF-16 units. Counts only in a line that is longer than a page.
   * @default 0
   */
  readonly character?: number | undefined;
  /** The most lines to return. */
  readonly limit?: number | undefined;
  /** The last line to return, such as the end of a section. */
  readonly lastLine?: number | undefined;
}

/** Most characters of a page: about 10,000 tokens. */
const pageCharacters = 40_000;

/** Gives other work a turn if needed. */
type Wait = () => Promise<void> | undefined;

/** Cuts one page out of a text, in turns; `undefined` if the first line is past its end. */
export async function cutPage(text: string, range: PageRange, wait: Wait): Promise<Page | undefined> {
  const { line: firstLine = 1, lastLine: end = Infinity, limit = Infinity } = range;
  const last = Math.min(end, firstLine + limit - 1);
  const place = beforeLines();
  await passLines(text, place, firstLine - 1, wait);
  if (firstLine > last || !movePageLine(text, place)) return undefined;
  const first = text.slice(place.start, place.end);
  // Some models fill in every number, but only a line that is longer than a page has a further one.
  const { character = 0 } = first.length > pageCharacters ? range : {};
  // Past the end of the line, nothing of it is left.
  const begin = endOfCharacter(first, Math.min(character, first.length));
  const length = endOfCharacter(first.slice(begin), pageCharacters);
  const kept = [first.slice(begin, begin + length)];
  const isCut = begin + length < first.length;
  let number = firstLine;
  let characters = first.length - begin;
  while (!isCut && number < last && movePageLine(text, place)) {
    number += 1;
    characters += 1 + place.end - place.start;
    if (characters > pageCharacters) break;
    kept.push(text.slice(place.start, place.end));
  }
  const lastLine = firstLine + kept.length - 1;
  const totalLines = number + (await passLines(text, place, Infinity, wait));
  return {
    ...{ text: kept.join('\n'), firstLine, lastLine, totalLines },
    ...(begin > 0 && { firstCharacter: begin }),
    ...(isCut && { nextLine: firstLine, nextCharacter: begin + length }),
    ...(!isCut && lastLine < totalLines && { nextLine: lastLine + 1 }),
  };
}

/** Counts the lines of a text as pages do, in turns. */
export function countPageLines(text: string, wait: Wait): Promise<number> {
  return passLines(text, beforeLines(), Infinity, wait);
}

/** Skips lines in turns, because a text may have millions, and returns how many there were. */
async function passLines(text: string, place: Line, count: number, wait: Wait): Promise<number> {
  let passed = 0;
  while (passed < count && movePageLine(text, place)) {
    passed += 1;
    if (passed % linesAtOnce === 0) await wait();
  }
  return passed;
}

/** Moves to the next line; a line break at the very end does not begin one. */
function movePageLine(text: string, place: Line): boolean {
  return moveLine(text, place) && (place.start < text.length || text === '');
}

/** Moves an index back by one if it would split a surrogate pair. */
export function endOfCharacter(text: string, index: number): number {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, index - 1), index + 1));
  return index > 0 && isPair ? index - 1 : index;
}
