// `skillful open`: the directory of a skill in the file manager.

import { openDirectory } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addSkillOptions } from '../loading/options.ts';
import { addChangeOptions, type ChangeOptions, findChanged, writeDone } from './managing.ts';

/** Adds `open` to the program. */
export function defineOpen(program: Command, io: CommandLine, answer: Answer): void {
  addChangeOptions(addSkillOptions(program.command('open <name>').description('open the directory of a skill')))
    .addHelpText('after', '\nExample:\n  $ skillful open weekly-report')
    .action(async (name: string, options: ChangeOptions) => answer(await open(name, options, io)));
}

async function open(name: string, options: ChangeOptions, io: CommandLine): Promise<ExitCode> {
  const { directory } = await findChanged(name, options, io);
  await openDirectory(directory);
  writeDone('Opened', directory, options, io);
  return 0;
}
