// `skillful explain` prints the page of one diagnostic code.

import { closestNames, diagnosticCodes, explainDiagnostic } from '@skillful/core/authoring';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { terminalLine } from '../terminal/text.ts';

/** Defines the command `explain`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  command
    .addHelpText('after', '\nExample:\n  $ skillful explain name-directory-mismatch')
    .action((code: string) => answer(explain(code, io)));
}

function explain(code: string, io: CommandLine): ExitCode {
  const page = explainDiagnostic(code);
  if (page === undefined) {
    const similar = findSimilar(code.toLowerCase());
    const advice = similar.length > 0 ? `Did you mean ${quote(similar)}?` : `Known codes: ${quote(diagnosticCodes())}.`;
    io.stderr.write(`error: Unknown code \`${terminalLine(code)}\`. ${advice}\n`);
    return 1;
  }
  io.stdout.write(page);
  return 0;
}

/** Returns the codes of which a text may be a typo, else codes that contain it, else codes that begin with the same word. */
function findSimilar(text: string): readonly string[] {
  const closest = closestNames(text, diagnosticCodes());
  if (closest.length > 0) return closest;
  const [word] = text.split('-');
  const containing = diagnosticCodes().filter((code) => code.includes(text));
  return containing.length > 0 ? containing : diagnosticCodes().filter((code) => code.split('-')[0] === word);
}

function quote(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}
