// Formats a diagnostic for people, with the line of the file that it is about.

import type { Diagnostic } from './diagnostic.ts';

export interface FormatDiagnosticOptions {
  /**
   * Columns at which lines are broken. A line of the file is cut instead.
   * @default no limit for words, 120 for lines of the file
   */
  readonly columns?: number | undefined;
  /** Leaves out the hint, for example because it was shown before. */
  readonly withoutHint?: boolean | undefined;
}

/**
 * Formats a diagnostic for people: place, severity, message, code and hint. With the text of the file, it also shows the
 * line, with a mark below the column.
 */
export function formatDiagnostic(
  diagnostic: Diagnostic,
  text?: string,
  { columns, withoutHint = false }: FormatDiagnosticOptions = {},
): string {
  const { location, line, column, severity, message, code, hint } = diagnostic;
  const place = [location, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
  const head = breakLine(`${place.join(':')} ${severity}: ${message} (${code})`, columns, '  ');
  const frame = text === undefined || line === undefined ? [] : formatFrame(text, line, column ?? 1, columns);
  const remedy = hint === undefined || withoutHint ? [] : [breakLine(`  hint: ${hint}`, columns, '        ')];
  return [head, ...frame, ...remedy].join('\n');
}

/** Breaks a text into lines between its words. A long word stays whole, and so does a command in backticks. */
function breakLine(text: string, columns: number | undefined, indent: string): string {
  if (columns === undefined || text.length <= columns) return text;
  const lines = [''];
  for (const word of text.match(/^ +|(?:`[^`]{1,60}`|\S)+/g) ?? []) {
    const current = lines.at(-1) ?? '';
    const joined = current.trim() === '' ? current + word : `${current} ${word}`;
    if (joined.length <= columns || current.trim() === '') lines[lines.length - 1] = joined;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}

function formatFrame(text: string, line: number, column: number, columns: number | undefined): string[] {
  const lines = text.split(/\r\n|\n|\r/, line + 1);
  const first = Math.max(1, line - 1);
  const last = Math.min(lines.length, line + 1);
  const digits = String(last).length;
  const width = columns === undefined ? 120 : Math.max(20, columns - digits - 5);
  const frame: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const content = lines[number - 1] ?? '';
    const part = cutLine(content, number === line ? column - 1 : 0, width);
    frame.push(`${number === line ? '>' : ' '} ${String(number).padStart(digits)} | ${part.shown}`);
    if (number === line) frame.push(`  ${' '.repeat(digits)} | ${spacesLike(part.before)}^`);
  }
  return frame;
}

/** Returns the part of a line around an index that fits a width, and the part of that before the index. */
function cutLine(line: string, index: number, width: number): { readonly shown: string; readonly before: string } {
  let begin = index;
  // An accent, or the second half of a character, belongs to what is before it.
  while (begin > 0 && /[\p{M}\udc00-\udfff]/u.test(line.charAt(begin))) begin -= 1;
  const start = line.slice(0, begin);
  const isNear = countColumns(line.slice(0, begin + 1)) < width;
  const near = isNear
    ? start
    : fitting(charactersOf(start).reverse(), width / 2)
        .reverse()
        .join('');
  const before = (isNear ? '' : '…') + visible(near);
  const rest = visible(line.slice(begin));
  const characters = charactersOf(rest);
  const shown = fitting(characters, width - countColumns(before));
  const after = shown.length === characters.length ? rest : `${shown.slice(0, -1).join('')}…`;
  return { shown: before + after, before };
}

/** Splits a text into characters with their accents and selectors. */
function charactersOf(text: string): string[] {
  return text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
}

/** Returns the first characters that fit into the columns. */
function fitting(characters: readonly string[], columns: number): string[] {
  let left = columns;
  const end = characters.findIndex((character) => {
    left -= countColumns(character);
    return left < 0;
  });
  return characters.slice(0, end === -1 ? characters.length : end);
}

/** Replaces the characters that are two columns wide in a terminal, emoji included, and removes accents, which take up none. */
function replaceWide(text: string, replacement: string): string {
  const wide =
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/gu;
  const emoji = text.replace(/.\ufe0f/gu, replacement);
  return emoji.replace(/[\p{Mn}\p{Me}]/gu, '').replace(wide, replacement);
}

function countColumns(text: string): number {
  return replaceWide(text, '  ').length;
}

/** Returns as many spaces as a text is wide. */
function spacesLike(text: string): string {
  return replaceWide(text, '\u3000').replace(/[^\u3000]/g, ' ');
}

/** Replaces characters that would shift the mark below the line with spaces. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (point) => ' '.repeat(point.length));
}
