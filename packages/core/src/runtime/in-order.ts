// Runs tasks with the same key one after the other, in the order in which they were requested.

/** Creates a function that starts a task once all earlier tasks with the same key have ended, failed ones included. */
export function createOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** When the task that was requested last ends, by key. */
  const ends = new Map<string, Promise<void>>();
  return (key, work) => {
    // An end rejects only if the runtime, such as that of Cloudflare Workers, has ended the request that it belongs to.
    const running = (ends.get(key) ?? Promise.resolve()).then(work, work);
    const forget = (): void => {
      if (ends.get(key) === end) ends.delete(key);
    };
    const end = running.then(forget, forget);
    ends.set(key, end);
    return running;
  };
}
