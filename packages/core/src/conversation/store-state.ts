// Writes the state of a conversation, and gives up on a store that fails or does not answer.

import { inTime } from '../runtime/in-time.ts';
import { untilAborted } from '../runtime/until-aborted.ts';

/** What a run remembers of its store. */
export interface StoreMemory {
  /** A write failed: nothing waits for another one. */
  hasFailed?: boolean;
}

/** Waits for a write, at most 5 seconds. The first failure of a run is reported. Rejects only if the signal is aborted. */
export async function storeState(
  write: () => unknown,
  memory: StoreMemory,
  signal: AbortSignal | undefined,
  report: (error: unknown) => void,
): Promise<void> {
  const writing = Promise.resolve().then(write);
  const done = inTime(writing, 5_000, 'The store did not answer within 5 seconds.').catch((error: unknown) => {
    if (memory.hasFailed !== true) report(error);
    memory.hasFailed = true;
  });
  if (memory.hasFailed !== true) await untilAborted(done, signal);
}
