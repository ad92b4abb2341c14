// `skillful open`: the directory of a skill in the file manager.

import { spawn } from 'node:child_process';
import { SkillError } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addChangeOptions, type ChangeOptions, findChanged, writeDone } from './managing.ts';

/** Adds `open` to the program. */
export function defineOpen(program: Command, io: CommandLine, answer: Answer): void {
  addChangeOptions(program.command('open <name>').description('open the directory of a skill'))
    .addHelpText('after', '\nExample:\n  $ skillful open weekly-report')
    .action(async (name: string, options: ChangeOptions) => answer(await open(name, options, io)));
}

async function open(name: string, options: ChangeOptions, io: CommandLine): Promise<ExitCode> {
  const { skill } = await findChanged(name, options, io);
  const { directory } = skill;
  await openDirectory(directory, io);
  writeDone('Opened', directory, options, io);
  return 0;
}

/** Milliseconds after which a file manager that still runs counts as open. */
const openedAfter = 2000;

/**
 * Opens a directory in the file manager of the desktop, without waiting until that is closed.
 *
 * @throws {SkillError} `write-failed` if there is no file manager
 */
async function openDirectory(path: string, { environment }: CommandLine): Promise<void> {
  const { platform } = process;
  const command = platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer.exe' : 'xdg-open';
  const child = spawn(command, [path], { detached: true, stdio: 'ignore', env: { ...environment } });
  const code = await new Promise<number | null | 'open'>((settle) => {
    const timer = setTimeout(() => {
      child.unref();
      settle('open');
    }, openedAfter);
    const end = (ended: number | null): void => {
      clearTimeout(timer);
      settle(ended);
    };
    child.once('error', () => end(null)).once('exit', end);
  });
  // The Windows explorer exits with 1 even if all is well.
  if (code === 'open' || code === 0 || (platform === 'win32' && code === 1)) return;
  throw new SkillError('write-failed', `\`${command}\` could not open the directory \`${path}\`. Open it by hand.`);
}
