// Stops waiting for a database, a source or a model that does not answer.

import { SkillError } from '@skillful/core';

/**
 * Waits for work. Rejects after the given time, if there is one, or with the signal's reason if the signal aborts first; the work
 * continues.
 */
export function within<T>(
  work: Promise<T>,
  milliseconds: number | undefined,
  signal?: AbortSignal,
  message = `the database did not answer within ${milliseconds} ms; check its load and locks, or raise \`timeout\``,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason);
    const timer = milliseconds && setTimeout(() => reject(new SkillError('source-failed', message)), milliseconds);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Waits for some time, or until the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
