// Runs tasks with the same key one after the other, in the order in which they were requested.

/** Creates a function that starts a task once all earlier tasks with the same key have ended, failed ones included. */
export function createOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** The latest task by key. */
  const latest = new Map<string, Promise<unknown>>();
  return (key, work) => {
    // A task also fails if its runtime, such as Cloudflare Workers, ends it with its request.
    const running = (latest.get(key) ?? Promise.resolve()).then(work, work);
    latest.set(key, running);
    const forget = (): void => {
      if (latest.get(key) === running) latest.delete(key);
    };
    running.then(forget, forget);
    return running;
  };
}
