// `skillful init`: a directory for skills, with a README that explains it.

import { initSkills, ownSkillsDirectory } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { workingDirectory } from '../loading/sources.ts';
import { addPlaceOptions, type PlaceOptions, writeDone } from './managing.ts';

/** Adds `init` to the program. */
export function defineInit(program: Command, io: CommandLine, answer: Answer): void {
  addPlaceOptions(program.command('init').description('make a directory for skills'))
    .addHelpText('after', '\nExample:\n  $ skillful init --scope project')
    .action(async (options: PlaceOptions) => answer(await init(options, io)));
}

async function init(options: PlaceOptions, io: CommandLine): Promise<ExitCode> {
  const cwd = workingDirectory(options, io);
  const directory = ownSkillsDirectory(options.scope, { cwd, environment: io.environment });
  const isNew = await initSkills(directory);
  writeDone(isNew ? 'Made the directory for skills' : 'The directory for skills was there', directory, options, io);
  return 0;
}
