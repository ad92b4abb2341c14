// Shows diagnostics to people.

import { type Catalog, type Diagnostic, formatDiagnostic } from '@skillful/core';
import type { CommandLine, OutputStream } from '../command-line.ts';
import { showPath } from './output.ts';
import { createStylist, type Style } from './style.ts';
import { terminalText } from './text.ts';

const styles: Readonly<Record<Diagnostic['severity'], Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

/** Writes one diagnostic, with a code frame if the text of its file is given. */
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
    io.stderr.write('Run `skillful trust` to use this project from now on, or add `--trust` to use it once.\n');
  }
}

/**
 * Writes in full why something is missing from the catalog; warnings about the skills in it are only counted.
 *
 * @param roots the directories that the user named, for the command that shows the warnings
 */
export function writeProblems({ skills, diagnostics }: Catalog, roots: readonly string[], io: CommandLine): void {
  const listed = new Set(skills.map(({ location }) => location));
  writeDiagnostics(
    diagnostics.filter(({ location }) => !listed.has(location)),
    io,
  );
  const warnings = diagnostics.filter(({ location }) => listed.has(location)).length;
  if (warnings === 0) return;
  const command = ['skillful', ...(roots.length === 0 ? ['doctor'] : ['validate', ...roots.map(quote)])].join(' ');
  const words = warnings === 1 ? '1 warning' : `${warnings} warnings`;
  io.stderr.write(terminalText(`${words} in loaded skills. Run \`${command}\` for details.\n`));
}

/** Quotes an argument for a shell if it has to be. */
function quote(argument: string): string {
  return /^[\w@%+=:,./~-]+$/u.test(argument) ? argument : `'${argument.split("'").join(`'\\''`)}'`;
}
