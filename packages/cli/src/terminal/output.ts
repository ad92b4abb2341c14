// Writes the one JSON document of a command.

import type { CommandLine } from '../command-line.ts';

/** What JSON allows as it is but a terminal obeys or cannot show: DEL, C1 controls, line separators, bidi controls. */
const steering = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu;

/** Writes a value as JSON with a line feed at the end. Parsed, it is the value; printed, it steers no terminal. */
export function writeJson(value: unknown, io: CommandLine): void {
  const text = JSON.stringify(value, null, 2);
  const escaped = text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  io.stdout.write(`${escaped}\n`);
}
