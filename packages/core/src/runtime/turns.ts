// Gives the event loop back during long work, in every runtime.

/** Milliseconds of work after which others get a turn; far below the 50 that a server would notice. */
const turnLength = 12;

type WaitForTurn = (resolve: () => void) => unknown;

/**
 * Finds what calls back in the next turn of the event loop. A timer costs a millisecond; where a runtime has something
 * shorter, it is taken: of Node, Bun and Deno the one of their module, for a test that stops the clock puts another in the
 * place of the global one.
 */
export function findNextTurn(runtime: {
  readonly process?: Partial<NodeJS.Process>;
  readonly setImmediate?: WaitForTurn;
}): WaitForTurn {
  const ofModule: unknown = runtime.process?.getBuiltinModule?.('node:timers')?.setImmediate;
  return typeof ofModule === 'function' ? (ofModule as WaitForTurn) : (runtime.setImmediate ?? setTimeout);
}

const nextTurn = findNextTurn(globalThis);

/**
 * Creates a function to be awaited before each of many pieces of work that know nothing of each other: together they have one
 * turn's time, and then the loop goes on. Each waits for the loop by itself, so that none depends on another, which could be
 * part of a request that a runtime ends.
 */
export function createSharedPause(): (signal: AbortSignal | undefined) => Promise<void> | undefined {
  let turn = { end: 0 };
  async function wait(signal: AbortSignal | undefined): Promise<void> {
    do {
      const used = turn;
      await new Promise<void>((resolve) => nextTurn(resolve));
      signal?.throwIfAborted();
      // Whoever comes first begins the next turn.
      if (turn === used) turn = { end: performance.now() + turnLength };
    } while (performance.now() >= turn.end);
  }
  return (signal) => (performance.now() < turn.end ? undefined : wait(signal));
}

/** Creates a function to be awaited between pieces of work: it waits only when a turn's time is used up. */
export function createPause(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let end = performance.now() + turnLength;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise<void>((resolve) => nextTurn(resolve)).then(() => {
      signal?.throwIfAborted();
      end = performance.now() + turnLength;
    });
  };
}
