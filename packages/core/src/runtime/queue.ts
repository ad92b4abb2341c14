// Starts many tasks in order and in small groups, so that thousands of simultaneous reads do not block the event loop.

import { nextTurn } from './turns.ts';

/** Tasks that start in one turn of the event loop; activating the largest `SKILL.md` takes a few milliseconds. */
const startedAtOnce = 4;

/** Tasks that run at once, which limits the memory for what they read. */
const runningAtOnce = 16;

/** Runs a task when its turn comes. Rejects with the signal's reason if the signal is aborted by then. */
export type Queue = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/** Creates a queue for tasks that always end, such as reading a disk; a task that hangs would block all later ones. */
export function createQueue(): Queue {
  const waiting = new Set<() => void>();
  let started = 0;
  let running = 0;
  const hasRoom = (): boolean => started < startedAtOnce && running < runningAtOnce;

  function start(): void {
    started += 1;
    running += 1;
    // The first task of a turn makes room for others in the next turn.
    if (started > 1) return;
    nextTurn(() => {
      started = 0;
      startWaiting();
    });
  }

  function startWaiting(): void {
    for (const next of waiting) {
      if (!hasRoom()) break;
      waiting.delete(next);
      next();
    }
  }

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (waiting.size === 0 && hasRoom()) start();
    else
      await new Promise<void>((resolve, reject) => {
        waiting.add(() => (signal?.aborted ? reject(signal.reason) : resolve(start())));
      });
    try {
      return await work();
    } finally {
      running -= 1;
      startWaiting();
    }
  };
}
