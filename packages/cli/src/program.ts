// Assembles the commands: their names, their help and their output.

import { Command } from 'commander';
import type { Answer, CommandLine } from './command-line.ts';
import { defineDoctor } from './commands/doctor.ts';
import { defineDisable, defineEnable } from './commands/enable.ts';
import { defineExplain } from './commands/explain.ts';
import { defineInit } from './commands/init.ts';
import { defineInstructions } from './commands/instructions.ts';
import { defineList } from './commands/list.ts';
import { defineNew } from './commands/new.ts';
import { defineOpen } from './commands/open.ts';
import { definePrompt } from './commands/prompt.ts';
import { defineRead } from './commands/read.ts';
import { defineRemove } from './commands/remove.ts';
import { defineSearch } from './commands/search.ts';
import { defineShow } from './commands/show.ts';
import { defineTrust, defineUntrust } from './commands/trust.ts';
import { defineValidate } from './commands/validate.ts';
import { terminalText } from './terminal/text.ts';
import { readVersion } from './version.ts';

/** Adds a command to the program. */
type Define = (program: Command, io: CommandLine, answer: Answer) => void;

/** In the order of the help. */
const definitions: ReadonlyMap<string, Define> = new Map([
  ['list', defineList],
  ['show', defineShow],
  ['read', defineRead],
  ['prompt', definePrompt],
  ['search', defineSearch],
  ['validate', defineValidate],
  ['doctor', defineDoctor],
  ['explain', defineExplain],
  ['instructions', defineInstructions],
  ['init', defineInit],
  ['new', defineNew],
  ['remove', defineRemove],
  ['enable', defineEnable],
  ['disable', defineDisable],
  ['open', defineOpen],
  ['trust', defineTrust],
  ['untrust', defineUntrust],
]);

/**
 * Creates the program, with all commands unless one is called, which saves time; a command that has run passes its exit code
 * to `answer`.
 */
export function createProgram(called: string | undefined, io: CommandLine, answer: Answer): Command {
  const program = new Command('skillful')
    .description('Finds, checks and shows Agent Skills exactly as an agent gets them.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(terminalText(text)),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    });
  const one = definitions.get(called ?? '');
  for (const define of one === undefined ? definitions.values() : [one]) define(program, io, answer);
  for (const command of [program, ...program.commands]) {
    command.showHelpAfterError(`Run \`${nameOf(command)} --help\` for usage.`);
  }
  return program;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
