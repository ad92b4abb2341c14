// `skillful remove`: deletes one of the user's skills.

import { removeSkill } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addSkillOptions } from '../loading/options.ts';
import { addChangeOptions, type ChangeOptions, findChanged, writeDone } from './managing.ts';

interface RemoveOptions extends ChangeOptions {
  readonly force?: boolean;
}

/** Adds `remove` to the program. */
export function defineRemove(program: Command, io: CommandLine, answer: Answer): void {
  addChangeOptions(addSkillOptions(program.command('remove <name>').description('delete one of your skills')))
    .option('--force', 'also delete skills of other scopes, or behind links')
    .addHelpText('after', '\nExample:\n  $ skillful remove weekly-report')
    .action(async (name: string, options: RemoveOptions) => answer(await remove(name, options, io)));
}

async function remove(name: string, options: RemoveOptions, io: CommandLine): Promise<ExitCode> {
  const { skill, sources } = await findChanged(name, options, io);
  const roots = sources.flatMap(({ root }) => root ?? []);
  await removeSkill(skill, { force: options.force, roots, environment: io.environment });
  writeDone('Removed', skill.location, options, io);
  return 0;
}
