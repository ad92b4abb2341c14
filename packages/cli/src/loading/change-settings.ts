// Changes files of the user, and says which one could not be changed.

import type { SkillErrorCode } from '@skillful/core';
import { type SettingsOptions, settingsPath } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { withProgress } from '../terminal/progress.ts';
import { rewordError } from './reword-error.ts';

/** Milliseconds to wait for other processes. More than an application waits, because a failed command breaks a script. */
const lockTimeout = 15_000;

/** Changes the user's settings, and waits for as many other commands as a script may start at once. */
export function changeSettings<Result>(
  change: (options: SettingsOptions) => Promise<Result>,
  io: CommandLine,
): Promise<Result> {
  const { environment } = io;
  const changed = withProgress('Waiting for another process', io, change({ environment, lockTimeout }));
  return withPathInError(settingsPath({ environment }), changed);
}

/** Errors whose message has no path, because applications show it to a model. */
const pathless: ReadonlySet<SkillErrorCode> = new Set(['write-failed', 'settings-invalid', 'settings-locked']);

/** Adds the path of a file to the error if changing it fails. */
export function withPathInError<Result>(path: string, changed: Promise<Result>): Promise<Result> {
  return rewordError(changed, ({ code, message }) => (pathless.has(code) ? `\`${path}\`: ${message}` : message));
}
