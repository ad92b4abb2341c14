// Gives other work a turn of the event loop during long work, in every runtime.

/** Milliseconds of work before other work gets a turn; far below the 50 that a server would notice. */
const turnLength = 12;

type WaitForTurn = (resolve: () => void) => unknown;

/**
 * Finds the fastest way to wait for the next turn of the event loop; a timer takes a millisecond. Node, Bun and Deno have it in
 * a module, which a test that stops the clock does not replace as it replaces the globals.
 */
export function findNextTurn(runtime: {
  readonly process?: Partial<NodeJS.Process>;
  readonly setImmediate?: WaitForTurn;
}): WaitForTurn {
  const ofModule: unknown = runtime.process?.getBuiltinModule?.('node:timers')?.setImmediate;
  return typeof ofModule === 'function' ? (ofModule as WaitForTurn) : (runtime.setImmediate ?? setTimeout);
}

/** Calls back in the next turn of the event loop. */
export const nextTurn: WaitForTurn = findNextTurn(globalThis);

/**
 * To be awaited between pieces of work: waits for the next turn only if the time of this one is used up. Otherwise it returns
 * nothing, so that a loop over thousands need not await it: each await costs time and memory.
 */
export type Turn = (signal: AbortSignal | undefined) => Promise<void> | undefined;

/**
 * Creates a `turn` for one loop, or for calls that share its 12 ms. Each call waits for the event loop by itself, because
 * another one may belong to a request that the runtime ends.
 */
export function createTurn(): Turn {
  // Not by `performance`, because Node loads ten modules when it is first used.
  let start = Date.now();
  /** Also true if the clock was set back. */
  const isUsedUp = (): boolean => Math.abs(Date.now() - start) >= turnLength;
  async function wait(signal: AbortSignal | undefined): Promise<void> {
    do {
      const used = start;
      await new Promise<void>((resolve) => nextTurn(resolve));
      signal?.throwIfAborted();
      // The first one to get here starts the next turn.
      if (start === used) start = Date.now();
    } while (isUsedUp());
  }
  return (signal) => (isUsedUp() ? wait(signal) : undefined);
}
