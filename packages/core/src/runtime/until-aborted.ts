// Stops waiting for work that itself cannot be stopped.

/** Waits for a promise. Rejects with the signal's reason if that is aborted first; the work continues. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    // Attached even if the signal is already aborted, so that a later failure is not an unhandled rejection.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
