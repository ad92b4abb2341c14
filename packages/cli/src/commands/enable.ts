// `skillful enable` and `skillful disable` store in the user's settings whether the model gets a skill.

import { setSkillEnabled } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { changeSettings } from '../loading/change-settings.ts';
import { addChangeOptions, type ChangeOptions, findSwitched, writeDone } from './managing.ts';

/** Defines the commands `enable` and `disable`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  const called = command.name();
  addChangeOptions(command)
    .addHelpText('after', `\nExample:\n  $ skillful ${called} user:weekly-report`)
    .action(async (name: string, options: ChangeOptions) =>
      answer(await change(name, called === 'enable', options, io)),
    );
}

async function change(name: string, enabled: boolean, options: ChangeOptions, io: CommandLine): Promise<ExitCode> {
  const skill = await findSwitched(name, options, io);
  await changeSettings((settings) => setSkillEnabled(skill, enabled, settings), io);
  writeDone(enabled ? 'Switched on' : 'Switched off', skill.location, options, io);
  return 0;
}
