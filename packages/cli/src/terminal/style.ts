// Highlights text with colour and weight, only at a terminal.

import { styleText } from 'node:util';
import type { CommandLine, OutputStream } from '../command-line.ts';

/** A way to highlight text. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green';

/** Highlights text if the stream is a terminal and `NO_COLOR` is not set. */
export type Stylist = (style: Style, text: string) => string;

/** Creates the stylist of a stream. @see https://no-color.org */
export function createStylist(stream: OutputStream, io: CommandLine): Stylist {
  const { NO_COLOR: noColor, TERM: terminal } = io.environment;
  const isPlain = stream.isTTY !== true || (noColor !== undefined && noColor !== '') || terminal === 'dumb';
  return isPlain ? (_, text) => text : (style, text) => styleText(style, text, { validateStream: false });
}
