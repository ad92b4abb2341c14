// `skillful explain`: the page of one diagnostic code.

import { diagnosticCodes, explainDiagnostic } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { terminalLine } from '../terminal-text.ts';
import { writeText } from '../write-text.ts';

/** Adds `explain` to the program. */
export function defineExplain(program: Command, io: CommandLine, answer: Answer): void {
  program
    .command('explain <code>')
    .description('explain a diagnostic code: why it happens and what to change')
    .addHelpText('after', '\nExample:\n  $ skillful explain name-directory-mismatch')
    .action((code: string) => answer(explain(code, io)));
}

function explain(code: string, io: CommandLine): ExitCode {
  const page = explainDiagnostic(code);
  if (page === undefined) {
    const similar = diagnosticCodes().filter((known) => known.includes(code.toLowerCase()));
    const codes = (similar.length > 0 ? similar : diagnosticCodes()).map((known) => `\`${known}\``).join(', ');
    io.stderr.write(`error: No diagnostic code \`${terminalLine(code)}\`. There are ${codes}.\n`);
    return 1;
  }
  writeText(page, io);
  return 0;
}
