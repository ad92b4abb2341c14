// Aligns rows for people, by the columns that a terminal needs; the last column takes the rest of the width.

import type { CommandLine } from '../command-line.ts';
import { createStylist } from './style.ts';

const gap = '  ';

/** A narrower last column is not cut; the terminal wraps it. */
const narrowest = 20;

/** Writes a table to standard output. Cells are single lines that are safe for a terminal. */
export function writeTable(titles: readonly string[], rows: readonly (readonly string[])[], io: CommandLine): void {
  const style = createStylist(io.stdout, io);
  const widths = titles.slice(0, -1).map((title, column) => {
    return rows.reduce((widest, row) => Math.max(widest, textWidth(row[column] ?? '')), textWidth(title));
  });
  const before = widths.reduce((sum, width) => sum + width + gap.length, 0);
  const left = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) - before : Number.POSITIVE_INFINITY;
  const format = (row: readonly string[]): string => {
    const padded = widths.map((width, column) => padText(row[column] ?? '', width));
    const last = row[widths.length] ?? '';
    return [...padded, left < narrowest ? last : cutText(last, left)].join(gap).trimEnd();
  };
  io.stdout.write(`${[style('dim', format(titles)), ...rows.map(format)].join('\n')}\n`);
}

/** Made at the first use: it takes more time than the rest of the start. */
let segmenter: Intl.Segmenter | undefined;

const wide =
  /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;

/** Splits a text into what a terminal shows as one character. */
function splitCharacters(text: string): readonly string[] {
  if (/^[ -~]*$/u.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Counts the columns of a text without control characters. */
function textWidth(text: string): number {
  let width = 0;
  for (const segment of splitCharacters(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Pads a text with spaces to a number of columns. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** Cuts a text to a number of columns and ends it with an ellipsis. */
function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const segment of splitCharacters(text)) {
    width += textWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
