// Gives other work a turn of the event loop during long work, in every runtime.

import { findBuiltIn, type RuntimeGlobals } from './built-in.ts';

/** Milliseconds of work before other work gets a turn; far below the 50 ms that a server would notice. */
const turnLength = 12;

type WaitForTurn = (resolve: () => void) => unknown;

/**
 * Finds the fastest way to wait for the next turn of the event loop; a timer takes a millisecond. Never takes the global
 * `setImmediate`, because tests with fake timers replace it, and the edge runtime of Next.js throws if one calls it.
 */
export function findNextTurn(runtime: RuntimeGlobals): WaitForTurn {
  return (findBuiltIn(runtime, 'node:timers', 'setImmediate') as WaitForTurn | undefined) ?? timerOf(setTimeout);
}

/** Returns a timer that calls back at once where timers throw, as in the global scope of Cloudflare Workers. */
function timerOf(start: (resolve: () => void) => unknown): WaitForTurn {
  return (resolve) => {
    try {
      start(resolve);
    } catch {
      resolve();
    }
  };
}

/** Calls back in the next turn of the event loop. */
export const nextTurn: WaitForTurn = findNextTurn(globalThis);

/**
 * Waits for the next turn if the time of this one is used up. Otherwise returns `undefined`, so that a loop over thousands of
 * items can skip the `await`, which costs time and memory.
 */
export type Turn = (signal: AbortSignal | undefined) => Promise<void> | undefined;

/** The same, for work whose signal is known. */
export type Wait = () => Promise<void> | undefined;

/**
 * Creates a `turn` for one loop, or for calls that share its 12 ms. Calls never wait for one another, because a runtime may end
 * the request that another call belongs to.
 */
export function createTurn(): Turn {
  // Not `performance`, because Node loads ten modules when it is first used.
  let start = Date.now();
  /** Also true if the clock was set back. */
  const isUsedUp = (): boolean => Math.abs(Date.now() - start) >= turnLength;
  async function wait(signal: AbortSignal | undefined): Promise<void> {
    do {
      const used = start;
      await new Promise<void>((resolve) => nextTurn(resolve));
      signal?.throwIfAborted();
      // The first call to get here starts the next turn.
      if (start === used) start = Date.now();
    } while (isUsedUp());
  }
  return (signal) => (isUsedUp() ? wait(signal) : undefined);
}
