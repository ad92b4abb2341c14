// Long synchronous work cut into slices, so that a large disk never holds the event loop.

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which the loop is given back. */
const sliceLength = 12;

export interface Slices {
  /** True when the current slice is used up: then `await rest()`. Cheap enough to ask after every file. */
  readonly isOver: () => boolean;
  /** Lets everything else run; rejects with the signal's reason when it was aborted. */
  readonly rest: () => Promise<void>;
}

export function createSlices(signal: AbortSignal | undefined): Slices {
  signal?.throwIfAborted();
  let end = performance.now() + sliceLength;
  return {
    isOver: () => performance.now() >= end,
    rest: async () => {
      await setImmediate();
      signal?.throwIfAborted();
      end = performance.now() + sliceLength;
    },
  };
}
