// `skillful enable` and `skillful disable`: whether the model gets a skill, stored in the user's settings.

import { setSkillEnabled } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addChangeOptions, type ChangeOptions, findSwitched, writeDone } from './managing.ts';

/** Adds `enable` to the program. */
export function defineEnable(program: Command, io: CommandLine, answer: Answer): void {
  addSwitch(program.command('enable <name>').description('switch a skill back on'), true, io, answer);
}

/** Adds `disable` to the program. */
export function defineDisable(program: Command, io: CommandLine, answer: Answer): void {
  addSwitch(program.command('disable <name>').description('switch a skill off without deleting it'), false, io, answer);
}

function addSwitch(command: Command, enabled: boolean, io: CommandLine, answer: Answer): void {
  addChangeOptions(command)
    .addHelpText('after', `\nExample:\n  $ skillful ${command.name()} user:weekly-report`)
    .action(async (name: string, options: ChangeOptions) => answer(await change(name, enabled, options, io)));
}

async function change(name: string, enabled: boolean, options: ChangeOptions, io: CommandLine): Promise<ExitCode> {
  const skill = await findSwitched(name, options, io);
  await setSkillEnabled(skill, enabled, { environment: io.environment });
  writeDone(enabled ? 'Switched on' : 'Switched off', skill.location, options, io);
  return 0;
}
