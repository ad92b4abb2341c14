// Changes the user's settings, and waits for as many other commands as a script may start at once.

import { type SettingsOptions, settingsPath } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { withProgress } from '../terminal/progress.ts';
import { naming } from './naming.ts';

/** Milliseconds to wait for other processes. More than an application waits, because a failed command breaks a script. */
const lockTimeout = 15_000;

/** Runs a change of the settings with its options. */
export function changeSettings<Result>(
  change: (options: SettingsOptions) => Promise<Result>,
  io: CommandLine,
): Promise<Result> {
  const { environment } = io;
  const changed = withProgress('Waiting for another process', io, change({ environment, lockTimeout }));
  return naming(settingsPath({ environment }), changed);
}
