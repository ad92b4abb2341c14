// Waits for what cannot be stopped only as long as somebody wants the answer.

/** Waits for a promise that goes on by itself; rejects with the reason of a signal that is aborted before. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    // Begun in any case, so that nobody has to hear of a failure that nobody waits for.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
