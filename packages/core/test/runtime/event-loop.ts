// Stops the clock and counts the turns of the event loop, so that a test needs no time to see how long the loop was blocked.

import { setImmediate } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Stops the clock until the test ends. Returns a function that advances it. */
export function stopClock(): (milliseconds: number) => void {
  // From the real time on, because modules may have asked the clock when they were imported.
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => {
    now += milliseconds;
  };
}

/** Counts the turns that other work got until `work` was done. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns += 1) await setImmediate();
  })();
  await work();
  isDone = true;
  await counting;
  return turns;
}
