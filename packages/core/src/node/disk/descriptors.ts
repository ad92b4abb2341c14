// Retries when the process is out of file descriptors, so that a listing is never silently incomplete.

import { setTimeout } from 'node:timers/promises';
import { untilAborted } from '../../runtime/until-aborted.ts';
import { SkillError } from '../../skill/error.ts';
import { isOutOfDescriptors } from './file-system.ts';

/** Milliseconds before each further attempt, two seconds in total. */
const delays: readonly number[] = [10, 20, 50, 120, 300, 500, 1000];

/**
 * Runs an action, and retries it while too many files are open. Returns a promise only if it has to wait, so that callers need
 * not hold a descriptor during an `await`.
 *
 * @throws {SkillError} `source-failed` if there are still no descriptors after two seconds; also the reason of an aborted signal
 */
export function waitForDescriptors<T>(
  action: () => T,
  signal: AbortSignal | undefined,
  waits: readonly number[] = delays,
): T | Promise<T> {
  try {
    return action();
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
    const [delay, ...later] = waits;
    if (delay !== undefined)
      return untilAborted(setTimeout(delay), signal).then(() => waitForDescriptors(action, signal, later));
    const message = 'Too many files are open in this process or on this system. Close some and try again.';
    throw new SkillError('source-failed', message);
  }
}
