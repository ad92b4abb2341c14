// Writes results to standard output as JSON or exact text, writes errors, and formats paths and numbers for people.

import { isAbsolute, relative, sep } from 'node:path';
import type { CommandLine } from '../command-line.ts';
import { terminalLine, terminalText } from './text.ts';

/** Characters that are allowed in JSON but control a terminal or are invisible: DEL, C1, line separators, bidi controls. */
const controls = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu;

/** Writes a value as JSON and a line feed. Escapes characters that control a terminal, and workflow commands. */
export function writeJson(value: unknown, io: CommandLine): void {
  const text = JSON.stringify(value, null, 2).replace(/##(?=\[)/gu, '#\\u0023');
  const escaped = text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  io.stdout.write(`${escaped}\n`);
}

/** Writes exact text and a final line feed; escaped on a terminal, and unchanged elsewhere. Writes nothing for an empty text. */
export function writeText(text: string, { stdout }: CommandLine): void {
  if (text !== '') stdout.write(Buffer.from(text.endsWith('\n') ? text : `${text}\n`));
}

/** Writes to standard error why something failed. */
export function writeError(message: string, { stderr }: CommandLine): void {
  stderr.write(`error: ${terminalText(message)}\n`);
}

/** Formats a path for people, relative if it is below the directory. */
export function showPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return terminalLine(path);
  const below = relative(directory, path);
  const isOutside = below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return terminalLine(isOutside ? path : below);
}

/** Counts things in words: `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * Quotes an argument for a shell if necessary; on Windows for cmd, PowerShell and Git Bash, unless the latter two would run a part
 * of it, such as `$(…)`, or change it.
 */
export function quote(argument: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@+=:,./~-]+$/u.test(argument)) return argument;
  // A backslash before the last quote would escape it.
  if (platform === 'win32' && !/[$`"]|^\\\\/u.test(argument)) return `"${argument.replace(/\\$/u, '\\\\')}"`;
  return `'${argument.split("'").join(`'\\''`)}'`;
}
