// What one process wants to do under a lock waits in one line and is done together, so that its calls do not compete.

import { SkillError } from '../error.ts';
import { withLock } from './lock.ts';

interface Waiting<Item> {
  readonly item: Item;
  /** When its patience ends. */
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gives a function that has an item handled under the lock `<path>.lock`. Items that wait when the lock is got are handled
 * together, in the order in which they came, and share what comes of it.
 *
 * The function takes the milliseconds to wait for others, and rejects with `settings-locked` when they are over.
 */
export function createLockLine<Item>(
  handle: (path: string, items: readonly [Item, ...Item[]]) => Promise<void>,
): (path: string, item: Item, timeout: number) => Promise<void> {
  // Holds only calls that are not answered yet.
  const lines = new Map<string, Waiting<Item>[]>();

  async function serve(path: string, line: Waiting<Item>[]): Promise<void> {
    while (line.length > 0) {
      const turn: Waiting<Item>[] = [];
      try {
        await withLock(
          `${path}.lock`,
          () => isAnybodyPatient(line),
          async () => {
            turn.push(...line.splice(0));
            const [first, ...others] = turn.map(({ item }) => item);
            if (first !== undefined) await handle(path, [first, ...others]);
          },
        );
        for (const { resolve } of turn) resolve();
      } catch (error) {
        for (const { reject } of turn.length > 0 ? turn : line.splice(0)) reject(error);
      }
    }
    lines.delete(path);
  }

  return (path, item, timeout) =>
    new Promise((resolve, reject) => {
      const waiting = { item, until: performance.now() + timeout, resolve, reject };
      const line = lines.get(path);
      if (line !== undefined) {
        line.push(waiting);
        return;
      }
      const own = [waiting];
      lines.set(path, own);
      void serve(path, own);
    });
}

/** Sends those away whose patience is over. */
function isAnybodyPatient(line: Waiting<unknown>[]): boolean {
  const now = performance.now();
  const patient = line.filter(({ until }) => until > now);
  for (const { until, reject } of line.splice(0, line.length, ...patient)) {
    if (until > now) continue;
    reject(
      new SkillError(
        'settings-locked',
        'Another process holds the lock on the settings. Try again, or remove the lock file.',
      ),
    );
  }
  return line.length > 0;
}
