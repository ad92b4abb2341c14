// Shows diagnostics to people.

import { type Diagnostic, formatDiagnostic } from '@skillful/core';
import type { CommandLine, OutputStream } from '../command-line.ts';
import { showPath } from '../paths.ts';
import { createStylist, type Style } from './style.ts';
import { terminalText } from './text.ts';

const styles: Readonly<Record<Diagnostic['severity'], Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

/** Writes one diagnostic, with a code frame where the text of its file is given. */
export function writeDiagnostic(
  diagnostic: Diagnostic,
  stream: OutputStream,
  io: CommandLine,
  text?: string | undefined,
): void {
  const shown = formatDiagnostic({ ...diagnostic, location: showPath(diagnostic.location, io.cwd) }, text);
  const [head = '', ...rest] = terminalText(shown).split('\n');
  const style = createStylist(stream, io);
  stream.write(`${[style(styles[diagnostic.severity], head), ...rest].join('\n')}\n`);
}

/** Writes diagnostics to standard error. */
export function writeDiagnostics(diagnostics: readonly Diagnostic[], io: CommandLine): void {
  for (const diagnostic of diagnostics) writeDiagnostic(diagnostic, io.stderr, io);
  if (diagnostics.some(({ code }) => code === 'source-untrusted')) {
    io.stderr.write('Add `--trust` to use the skills of this project.\n');
  }
}
