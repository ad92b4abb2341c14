// Stops waiting for a database, a source or a model that does not answer.

import { SkillError } from '@skillful/core';
import type { ConnectionPool, PooledConnection } from './client.ts';

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
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => {};
  return new Promise<T>((resolve, reject) => {
    abort = () => reject(signal?.reason);
    if (milliseconds !== undefined) {
      timer = setTimeout(() => reject(new SkillError('source-failed', message)), milliseconds);
    }
    work.then(resolve, reject);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  }).finally(() => {
    // The work may never end, as in a pool that was closed meanwhile, and a timer would keep the process alive.
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  });
}

/** Waits for some time, or until the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return within(new Promise<void>(() => {}), milliseconds, signal).catch(() => {});
}

/** Takes a connection from the pool. A connection that arrives too late is returned. */
export async function connect(pool: ConnectionPool, timeout: number, signal?: AbortSignal): Promise<PooledConnection> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  try {
    const message = `no connection within ${timeout} ms; check that the server runs, or use a larger pool`;
    return await within(connecting, timeout, signal, message);
  } catch (error) {
    connecting.then(
      (connection) => connection.release(),
      () => {},
    );
    throw error;
  }
}
