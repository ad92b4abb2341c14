// Guards a terminal or the log of a workflow, so that nothing in a file or a path can control it, even if a command forgot to
// escape something.

import type { CommandLine, OutputStream } from '../command-line.ts';
import { eraseLine } from './progress.ts';
import { terminalText } from './text.ts';
import { breakLine } from './width.ts';

/** Sequences that this program itself sends to a terminal: the colours of its styles, and the end of its progress. */
const own = new RegExp(`(\u001b\\[(?:1|2|22|31|32|33|36|39)m|${eraseLine.replace('[', '\\[')})`, 'u');

/**
 * Guards a stream. Bytes are exact text, and reach a pipe or a file unchanged. Strings are for people, and a terminal gets their
 * lines broken between words. The variable `COLUMNS` overrides the width of a terminal, for programs that read its output.
 */
export function guardTerminal(
  stream: OutputStream,
  { COLUMNS: chosen, GITHUB_ACTIONS: workflow }: CommandLine['environment'] = {},
): OutputStream {
  const columns = /^[1-9]\d{0,4}$/u.test(chosen ?? '') ? Number(chosen) : undefined;
  // A terminal without a window, as in some containers and editors, has 0 columns.
  const width = (): number | undefined => columns ?? (stream.columns || undefined);
  const escapeCommands = createCommandEscaper();
  return {
    write(chunk) {
      if (stream.isTTY !== true) {
        return stream.write(workflow === 'true' && typeof chunk === 'string' ? escapeCommands(chunk) : chunk);
      }
      // Bytes come from a file, so they contain no colours of this program.
      if (typeof chunk !== 'string') return stream.write(terminalText(new TextDecoder().decode(chunk)));
      const parts = chunk.split(own).map((part, index) => (index % 2 === 1 ? part : terminalText(part)));
      const lines = parts.join('').split('\n');
      return stream.write(lines.map((line) => breakLine(line, width() ?? Number.POSITIVE_INFINITY)).join('\n'));
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return width();
    },
  };
}

/**
 * Creates a function that escapes commands that GitHub runs from a log: `::command::` at the beginning of a line, and
 * `##[command]` anywhere. A script may write a command in pieces, so that only its last piece shows what it is. GitHub's runner
 * is written in C#, which also takes U+0085 for white space.
 */
function createCommandEscaper(): (text: string) => string {
  let before = '';
  return (text) => {
    const all = before + text;
    const escaped = all
      .replace(/(?<=^(?:[^\S\n\r\u2028\u2029]|\u0085)*:):/gmu, '\\u{3a}')
      .replace(/(?<=##)\[/gu, '\\u{5b}');
    const piece = escaped.slice(before.length);
    const line = all.replace(/^.*[\n\r\u2028\u2029]/su, '').replace(/^[\s\u0085]+/u, '');
    // Enough to recognise the rest of a command.
    before = line === '' || line === ':' ? line : `x${line.slice(-2)}`;
    return piece;
  };
}
