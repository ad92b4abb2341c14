// Running out of descriptors is waited out: a list that is short because of it would look like the whole truth.

import { setTimeout } from 'node:timers/promises';
import { SkillError } from '../../skill/error.ts';
import { isOutOfDescriptors } from './file-system.ts';

/** Milliseconds before each further attempt; two seconds in all. */
const delays: readonly number[] = [10, 20, 50, 120, 300, 500, 1000];

/**
 * Runs an action again while the process or the system has too many open files. Gives a promise only where it has to wait, so
 * that what was opened need not stay open over an `await`.
 *
 * @throws {SkillError} `source-failed` when that does not end
 */
export function waitForDescriptors<T>(action: () => T, signal: AbortSignal | undefined): T | Promise<T> {
  try {
    return action();
  } catch (error) {
    if (!isDescriptorFailure(error)) throw error;
    return tryAgain(action, signal);
  }
}

async function tryAgain<T>(action: () => T, signal: AbortSignal | undefined): Promise<T> {
  for (const delay of delays) {
    await setTimeout(delay, undefined, { ...(signal === undefined ? {} : { signal }) });
    try {
      return action();
    } catch (error) {
      if (!isDescriptorFailure(error)) throw error;
    }
  }
  throw new SkillError(
    'source-failed',
    'Too many files are open in this process or on this system. Close some and try again.',
  );
}

/** Tells whether an action failed only because too many files are open. */
export function isDescriptorFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && isOutOfDescriptors(String(error.code));
}
