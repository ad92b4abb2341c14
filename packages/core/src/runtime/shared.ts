// Shares work between its callers, also where a runtime may end the request that began it.

/** Milliseconds without a sign of life after which the next call starts work again. */
const longestSilence = 30_000;

/**
 * Wraps work so that it starts only once. After a failure, the next call starts it again. So does a call that only shared the
 * failed work, because a runtime such as that of Cloudflare Workers ends work together with the request that began it. Such a runtime
 * may also forget work, so it starts again if it says nothing for 30 seconds: long work calls `alive` after each part.
 */
export function shareWork<T>(start: (alive: () => void) => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let heard = Number.POSITIVE_INFINITY;
  async function wait(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      if (shared === work) heard = Number.POSITIVE_INFINITY;
      return result;
    } catch (error) {
      if (shared === work) shared = undefined;
      throw error;
    }
  }
  function begin(): Promise<T> {
    if (shared === undefined) {
      heard = performance.now();
      shared = start(() => {
        // Not once the work is done, because older work that was given up may still go on.
        if (heard !== Number.POSITIVE_INFINITY) heard = performance.now();
      });
    }
    return wait(shared);
  }
  return () => {
    if (performance.now() - heard > longestSilence) shared = undefined;
    return shared === undefined ? begin() : wait(shared).catch(begin);
  };
}
