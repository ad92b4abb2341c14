// Changes files of the user, and says which one could not be changed.

import { isSkillError, SkillError, type SkillErrorCode } from '@skillful/core';
import { type SettingsOptions, settingsPath } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { withProgress } from '../terminal/progress.ts';

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
  return withErrorPrefix(({ code }) => (pathless.has(code) ? `\`${path}\`: ` : ''), changed);
}

/** Puts a text before the message of an error. */
export async function withErrorPrefix<Result>(
  prefix: (error: SkillError) => string,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isSkillError(error)) throw error;
    throw new SkillError(error.code, prefix(error) + error.message, { cause: error });
  }
}
