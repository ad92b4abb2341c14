// Puts the commands together: their names, their help and what they write to.

import { Command } from 'commander';
import type { Answer, CommandLine } from './command-line.ts';
import { defineDoctor } from './commands/doctor.ts';
import { defineList } from './commands/list.ts';
import { definePrompt } from './commands/prompt.ts';
import { defineRead } from './commands/read.ts';
import { defineShow } from './commands/show.ts';
import { defineValidate } from './commands/validate.ts';
import { terminalText } from './terminal-text.ts';

const definitions = [defineList, defineShow, defineRead, definePrompt, defineValidate, defineDoctor];

/** Creates the program; a command that has run tells its exit code to `answer`. */
export function createProgram(io: CommandLine, answer: Answer): Command {
  const program = new Command('skillful')
    .description('Finds, checks and shows Agent Skills, the way an agent gets them.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(terminalText(text)),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .helpCommand(false);
  for (const define of definitions) define(program, io, answer);
  for (const command of [program, ...program.commands]) {
    command.showHelpAfterError(`Run \`${nameOf(command)} --help\` to see how it is used.`);
  }
  return program;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
