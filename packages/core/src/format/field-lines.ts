// Finds the lines of each field, without understanding their YAML.

import type { Position } from '../diagnostics/log.ts';
import { placeOf } from '../text/place.ts';
import { knownFields } from './fields.ts';

/** The lines of one field, from its key to the next one; the place is that of the key. */
export interface FieldLines extends Position {
  readonly key: string;
  /** False for `name:pdf`, and for the wide colons and spaces of Chinese and Japanese keyboards. */
  readonly spaced: boolean;
  /** Text after the colon. */
  readonly first: string;
  /** Column of that text. */
  readonly valueColumn: number;
  /** All lines below the first. */
  readonly rest: readonly string[];
  /** Without empty lines and comments at the end. */
  readonly lineCount: number;
  /** False for an entry of `metadata`. */
  readonly isTop: boolean;
}

const keyPattern = /^["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?:[ \t]+(?![ \t])(.*)|)$/;

/** Spaces around a colon, also those of Chinese and Japanese keyboards and of web pages. */
const gap = '[ \\t\\u00a0\\u3000]*';

/** Without a space, or with a wide colon (U+FF1A), only known fields are keys, because other words may be prose. */
const tightKeyPattern = new RegExp(
  '^(?=(?:name|description|license|compatibility|disable-model-invocation|user-invocable):' +
    `|(?:${[...knownFields].join('|')})${gap}\\uff1a)([\\w-]+)${gap}[:\\uff1a]${gap}(\\S.*|)$`,
);

/** Below `metadata`, any word may be a key, but `https://…` is not one. */
const tightEntryPattern = new RegExp(`^([A-Za-z_][\\w.-]*)(?::(?![\\s/\\\\])|${gap}\\uff1a${gap})(\\S.*)$`);

/**
 * Returns the field that begins on a row, or undefined if none does.
 *
 * @param place where the lines begin in the file
 * @param isTop whether the lines are the top level of the frontmatter
 */
export function takeField(
  lines: readonly string[],
  row: number,
  place: Position,
  isTop = true,
): FieldLines | undefined {
  const tight = isTop ? tightKeyPattern : tightEntryPattern;
  const line = lines[row] ?? '';
  const spaced = keyPattern.exec(line);
  const [, key, first = ''] = spaced ?? tight.exec(line) ?? [];
  if (key === undefined) return undefined;
  let end = row + 1;
  while (end < lines.length && keyOf(lines[end] ?? '', tight) === undefined) end += 1;
  let last = end - 1;
  while (last > row && /^(?:\s*$|#)/.test(lines[last] ?? '')) last -= 1;
  return {
    key,
    spaced: spaced !== null,
    first: first.replace(/(?<![ \t])[ \t]+$/, ''),
    valueColumn: place.column + line.length - first.length,
    rest: lines.slice(row + 1, end),
    lineCount: last - row + 1,
    isTop,
    line: place.line + row,
    column: place.column,
  };
}

/** Returns the key of the field that begins on a line, or undefined if none does. */
export function keyOf(line: string, tight: RegExp = tightKeyPattern): string | undefined {
  return (keyPattern.exec(line) ?? tight.exec(line))?.[1];
}

/** Returns the place of what a function finds in the value of a field. */
export function findIn(
  { first, rest, lineCount, line, column, valueColumn }: FieldLines,
  find: ((text: string) => number | undefined) | undefined,
): Position | undefined {
  const text = [first, ...rest.slice(0, lineCount - 1)].join('\n');
  // The value may begin below its key.
  const start = text.length - text.trimStart().length;
  const index = find?.(text.slice(start));
  if (index === undefined) return undefined;
  const place = placeOf(text, start + index, line);
  return { ...place, column: place.column + (place.line === line ? valueColumn : column) - 1 };
}

/** Replaces each tab of an indentation with two spaces. */
export function expandTabs(line: string): string {
  return line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  '));
}
