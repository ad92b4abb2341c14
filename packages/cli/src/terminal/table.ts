// Aligns rows for people by their width in a terminal. Names stay whole, and descriptions get the rest of the width.

import type { CommandLine } from '../command-line.ts';
import { createStylist } from './style.ts';
import { splitCharacters, textWidth } from './width.ts';

const gap = '  ';

/** The least width of the last column. If the first cell leaves less, it gets its own line. */
const narrowest = 24;

/** The least width of the first column. */
const narrowestFirst = 8;

/** The greatest share of the width for the first column, because one long name would cut every description. */
const mostOfWidth = 0.4;

/**
 * Writes a table to standard output. Cells must be single lines that are safe for a terminal. Only a last column called
 * `DESCRIPTION` is cut to the width.
 */
export function writeTable(titles: readonly string[], rows: readonly (readonly string[])[], io: CommandLine): void {
  const style = createStylist(io.stdout, io);
  const columns = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  const widest = (texts: readonly string[]): number =>
    texts.reduce((width, text) => Math.max(width, textWidth(text)), 0);
  const others = titles.slice(1, -1).map((title, index) => widest([title, ...rows.map((row) => row[index + 1] ?? '')]));
  const taken = others.reduce((sum, width) => sum + width + gap.length, gap.length);
  const most = Math.max(narrowestFirst, Math.min(columns - taken - narrowest, columns * mostOfWidth));
  const names = rows.map(([name = '']) => name).filter((name) => textWidth(name) <= most);
  const widths = [widest([...titles.slice(0, 1), ...names]), ...others];
  const left = columns - taken - (widths[0] ?? 0);
  const isCut = titles.at(-1) === 'DESCRIPTION';
  const format = (row: readonly string[]): string => {
    const name = row[0] ?? '';
    const isLong = textWidth(name) > most;
    const padded = widths.map((width, column) => padText(column === 0 && isLong ? '' : (row[column] ?? ''), width));
    const last = row[widths.length] ?? '';
    const line = [...padded, isCut ? cutText(last, Math.max(1, left)) : last].join(gap).trimEnd();
    return isLong ? `${name}\n${line}` : line;
  };
  io.stdout.write(`${[style('dim', format(titles)), ...rows.map(format)].join('\n')}\n`);
}

/** Pads a text with spaces to a number of columns. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** Cuts a text to a number of columns and ends it with an ellipsis. */
function cutText(text: string, columns: number): string {
  const mostWidth = text.length * 2;
  if (mostWidth <= columns || textWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const segment of splitCharacters(text)) {
    width += textWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
