// Runs work about one thing in the order in which it was asked for.

/** Creates a function that starts work once all earlier work with the same key has ended, even if that failed. */
export function createOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** The end of the last work that was asked for, by key. */
  const ends = new Map<string, Promise<void>>();
  return (key, work) => {
    const running = (ends.get(key) ?? Promise.resolve()).then(work);
    const forget = (): void => {
      if (ends.get(key) === end) ends.delete(key);
    };
    const end = running.then(forget, forget);
    ends.set(key, end);
    return running;
  };
}
