// Shares work between its callers, also where a runtime may end the request that began it.

/**
 * Wraps work so that it starts only once. After a failure, the next call starts it again. So does a call that only shared the
 * failed work, because a runtime such as that of Cloudflare Workers ends work together with the request that began it.
 */
export function shareWork<T>(start: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  async function wait(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (shared === work) shared = undefined;
      throw error;
    }
  }
  function begin(): Promise<T> {
    shared ??= start();
    return wait(shared);
  }
  return () => (shared === undefined ? begin() : wait(shared).catch(begin));
}
