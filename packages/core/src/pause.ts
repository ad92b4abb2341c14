// Gives the event loop back during long work, in every runtime.

/** Milliseconds of work after which others get a turn; far below the 50 that a server would notice. */
const turnLength = 12;

// A timer costs a millisecond; where a runtime has something shorter, it is taken.
const nextTurn: (resolve: () => void) => unknown = typeof setImmediate === 'function' ? setImmediate : setTimeout;

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
