// Lines up rows for people; the last column takes what is left of a terminal's width.

import type { CommandLine } from '../command-line.ts';
import { cutText, padText, textWidth } from '../text-width.ts';
import { createStylist } from './style.ts';

const gap = '  ';

/** A last column narrower than this is not cut, but left to the terminal to wrap. */
const narrowest = 20;

/** Writes a table to standard output. Cells are single lines that are harmless for a terminal. */
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
