// Writes text for the model to standard output: exact for a pipe or a file, harmless for a terminal.

import type { CommandLine } from './command-line.ts';
import { terminalText } from './terminal/text.ts';

/** Writes a text, and a line feed where it does not end with one. An empty text stays nothing. */
export function writeText(text: string, { stdout }: CommandLine): void {
  if (text === '') return;
  stdout.write(`${stdout.isTTY === true ? terminalText(text) : text}${text.endsWith('\n') ? '' : '\n'}`);
}
