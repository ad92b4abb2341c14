// `skillful open` opens the directory of a skill in the file manager.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { type Skill, SkillError } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addChangeOptions, type ChangeOptions, findFolder, writeDone } from './managing.ts';

/** Defines the command `open`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addChangeOptions(command)
    .addHelpText('after', '\nExample:\n  $ skillful open weekly-report')
    .action(async (name: string, options: ChangeOptions) => answer(await open(name, options, io)));
}

async function open(name: string, options: ChangeOptions, io: CommandLine): Promise<ExitCode> {
  const folder = await findFolder(name, options, io);
  await openDirectory(folder, io);
  writeDone('Opened', folder.directory, options, io);
  return 0;
}

type Folder = Pick<Skill, 'directory' | 'location'>;

/** Milliseconds after which a file manager that is still running counts as open. */
const openedAfter = 2000;

/**
 * Opens the directory of a skill in the file manager, without waiting until it is closed.
 *
 * @throws {SkillError} `write-failed` if there is no file manager
 */
async function openDirectory(folder: Folder, { environment }: CommandLine): Promise<void> {
  const { platform } = process;
  const [command, ...given] = fileManager(platform, folder, environment);
  // A `PATH` with `.` would find a program in the working directory.
  const cwd = dirname(process.execPath);
  const child = spawn(command, given, { cwd, detached: true, stdio: 'ignore', env: { ...environment } });
  const patience = AbortSignal.timeout(openedAfter);
  const code: unknown = await once(child, 'exit', { signal: patience }).then(
    ([ended]) => ended,
    () => null,
  );
  if (patience.aborted) child.unref();
  // The Windows explorer exits with 1 even on success.
  if (patience.aborted || code === 0 || (platform === 'win32' && code === 1)) return;
  const message = `\`${command}\` could not open the directory \`${folder.directory}\`. Open it by hand.`;
  throw new SkillError('write-failed', message);
}

/** Returns the command of the file manager. It must never run anything from a skill or the working directory. */
function fileManager(
  platform: NodeJS.Platform,
  { directory, location }: Folder,
  { SystemRoot: windows = 'C:\\Windows' }: CommandLine['environment'],
): readonly [command: string, ...given: string[]] {
  // Without `-R`, macOS would start a directory that is called `x.app`.
  if (platform === 'darwin') return ['open', '-R', location];
  // By full path, because Windows looks for a bare name in the working directory first.
  if (platform === 'win32') return [join(windows, 'explorer.exe'), directory];
  return ['xdg-open', directory];
}
