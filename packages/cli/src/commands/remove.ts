// `skillful remove` deletes one of the user's skills.

import type { Skill } from '@skillful/core';
import { removeSkill } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { withPathInError } from '../loading/change-settings.ts';
import { showPath } from '../terminal/output.ts';
import { isAnsweredYes } from '../terminal/question.ts';
import { addChangeOptions, type ChangeOptions, findChanged, writeDone } from './managing.ts';

interface RemoveOptions extends ChangeOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** Defines the command `remove`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addChangeOptions(command)
    .option('--force', 'also delete skills of other scopes, or behind links')
    .option('-y, --yes', 'do not ask at a terminal')
    .addHelpText('after', '\nExample:\n  $ skillful remove weekly-report')
    .action(async (name: string, options: RemoveOptions) => answer(await remove(name, options, io)));
}

async function remove(name: string, options: RemoveOptions, io: CommandLine): Promise<ExitCode> {
  const { skill, sources } = await findChanged(name, options, io);
  if (!(await isConfirmed(skill, options, io))) {
    io.stderr.write('Nothing was removed.\n');
    return 1;
  }
  const roots = sources.flatMap(({ root }) => root ?? []);
  const { force, scope } = options;
  await withPathInError(skill.directory, removeSkill(skill, { force, scope, roots, environment: io.environment }));
  writeDone('Removed', skill.location, options, io);
  return 0;
}

/** Asks whether to delete a skill, if there is someone to ask. */
async function isConfirmed({ directory }: Skill, { yes, json }: RemoveOptions, io: CommandLine): Promise<boolean> {
  if (yes === true || json === true || io.ask === undefined) return true;
  return isAnsweredYes(io.ask, `Delete ${showPath(directory, io.cwd)} and everything in it?`);
}
