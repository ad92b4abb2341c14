// `skillful explain`: the page of one diagnostic code.

import { diagnosticCodes, explainDiagnostic } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { terminalLine } from '../terminal/text.ts';
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
    const codes = findSimilar(code.toLowerCase())
      .map((known) => `\`${known}\``)
      .join(', ');
    io.stderr.write(`error: No diagnostic code \`${terminalLine(code)}\`. There are ${codes}.\n`);
    return 1;
  }
  writeText(page, io);
  return 0;
}

/** Gives the codes that hold a text, else those that begin with the same word, else all. */
function findSimilar(text: string): readonly string[] {
  const codes = diagnosticCodes();
  const [word] = text.split('-');
  const holding = codes.filter((code) => code.includes(text));
  const akin = holding.length > 0 ? holding : codes.filter((code) => code.split('-')[0] === word);
  return akin.length > 0 ? akin : codes;
}
