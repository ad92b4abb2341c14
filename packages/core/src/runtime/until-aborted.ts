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

/** The most milliseconds that a timer takes; it would count a larger number as one. */
export const longestTimeout: number = 2 ** 31 - 1;

/** Waits for a promise. Rejects with an error of this message if it takes longer; the work continues. */
export function inTime<T>(promise: Promise<T>, milliseconds: number, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
