// Cuts long texts into pages of whole lines, each with its place in the text and where the next one begins.

import { splitLines } from './outline.ts';

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
  const lines = linesOf(text);
  const { line: firstLine = 1, limit = lines.length } = range;
  const end = Math.min(lines.length, range.lastLine ?? lines.length, firstLine + limit - 1);
  const whole = lines[firstLine - 1];
  if (whole === undefined || end < firstLine) return undefined;
  const character = endOfCharacter(whole, range.character ?? 0);
  const first = whole.slice(character);
  const total = { firstLine, totalLines: lines.length };
  if (first.length > pageCharacters) {
    const cut = endOfCharacter(first, pageCharacters);
    return {
      ...total,
      text: first.slice(0, cut),
      lastLine: firstLine,
      nextLine: firstLine,
      nextCharacter: character + cut,
    };
  }
  const kept = [first];
  let characters = first.length;
  for (const line of lines.slice(firstLine, end)) {
    characters += line.length + 1;
    if (characters > pageCharacters) break;
    kept.push(line);
  }
  const lastLine = firstLine + kept.length - 1;
  return { ...total, text: kept.join('\n'), lastLine, ...(lastLine < lines.length ? { nextLine: lastLine + 1 } : {}) };
}

/** Counts the lines of a text as pages do: a line break at the very end does not begin a line. */
export function countLines(text: string): number {
  return linesOf(text).length;
}

function linesOf(text: string): readonly string[] {
  const lines = splitLines(text);
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Keeps a cut from falling between the halves of a surrogate pair. */
export function endOfCharacter(text: string, index: number): number {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, index - 1), index + 1));
  return index > 0 && isPair ? index - 1 : index;
}
