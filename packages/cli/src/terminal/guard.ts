// The last step before a terminal or the log of a workflow: nothing in a file or a path can control them, even if a command
// forgot to escape it.

import type { CommandLine, OutputStream } from '../command-line.ts';
import { eraseLine } from './progress.ts';
import { terminalText } from './text.ts';
import { breakLine } from './width.ts';

/** What this program itself sends to a terminal: the colours of its styles, and the end of its progress. */
const own = new RegExp(`(\u001b\\[(?:1|2|22|31|32|33|36|39)m|${eraseLine.replace('[', '\\[')})`, 'u');

/**
 * Guards a stream. Bytes are exact text, which reaches a pipe or a file unchanged. Strings are for people: at a terminal, their
 * lines are broken between words. The variable `COLUMNS` overrides the width of a terminal, for programs that read its output.
 */
export function guardTerminal(
  stream: OutputStream,
  { COLUMNS: chosen, GITHUB_ACTIONS: workflow }: CommandLine['environment'] = {},
): OutputStream {
  const columns = /^[1-9]\d{0,4}$/u.test(chosen ?? '') ? Number(chosen) : undefined;
  const width = (): number | undefined => columns ?? stream.columns;
  return {
    write(chunk) {
      if (stream.isTTY !== true) {
        return stream.write(workflow === 'true' && typeof chunk === 'string' ? escapeCommands(chunk) : chunk);
      }
      // Bytes are those of a file, which has no colours of this program.
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

/** Escapes what GitHub runs if it is in a log: `::command::` at the beginning of a line, and `##[command]` anywhere. */
function escapeCommands(text: string): string {
  return text.replace(/^(\s*)::/gmu, '$1\\u{3a}:').replace(/##\[/gu, '#\\u{23}[');
}
