// What one process wants to do under a lock waits in one line and is done together, so that its calls do not compete.

// A test that stops the clock puts another in the place of the global one.
import { performance } from 'node:perf_hooks';
import { SkillError } from '../../skill/error.ts';
import { withLock } from './lock.ts';

/** Those who wait in this process; the array is replaced and never spread into a call, for they may be hundreds of thousands. */
interface Line<Item> {
  waiting: Waiting<Item>[];
}

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
  const lines = new Map<string, Line<Item>>();

  async function serve(path: string, line: Line<Item>): Promise<void> {
    while (line.waiting.length > 0) {
      let turn: Waiting<Item>[] = [];
      const work = async (): Promise<void> => {
        turn = line.waiting;
        line.waiting = [];
        const [first, ...others] = turn.map(({ item }) => item);
        if (first !== undefined) await handle(path, [first, ...others]);
      };
      try {
        await withLock(`${path}.lock`, () => isAnybodyPatient(line), work);
        for (const { resolve } of turn) resolve();
      } catch (error) {
        if (turn.length === 0) {
          turn = line.waiting;
          line.waiting = [];
        }
        for (const { reject } of turn) reject(error);
      }
    }
    lines.delete(path);
  }

  return (path, item, timeout) =>
    new Promise((resolve, reject) => {
      const waiting = { item, until: performance.now() + timeout, resolve, reject };
      const line = lines.get(path);
      if (line !== undefined) {
        line.waiting.push(waiting);
        return;
      }
      const own = { waiting: [waiting] };
      lines.set(path, own);
      void serve(path, own);
    });
}

/** Sends those away whose patience is over. */
function isAnybodyPatient(line: Line<unknown>): boolean {
  const now = performance.now();
  const isOver = ({ until }: Waiting<unknown>): boolean => until <= now;
  const impatient = line.waiting.filter(isOver);
  if (impatient.length > 0) line.waiting = line.waiting.filter((waiting) => !isOver(waiting));
  for (const { reject } of impatient) {
    reject(
      new SkillError(
        'settings-locked',
        'Another process holds the lock on the settings. Try again, or remove the lock file.',
      ),
    );
  }
  return line.waiting.length > 0;
}
