// Stops waiting for work that cannot be stopped itself.

interface Waiters {
  readonly all: Set<() => void>;
  readonly abortAll: () => void;
}

/**
 * The waiters of each signal. They share one listener, because Node 20 warns about more than ten, and removing one of thousands
 * searches through all of them.
 */
const waiting: WeakMap<AbortSignal, Waiters> = new WeakMap();

/** Waits for work. Rejects with the signal's reason if the signal is aborted first; the work continues. */
export function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  const promise = Promise.resolve(work);
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    // Attached even if the signal is already aborted, so that a later failure is not an unhandled rejection.
    promise.then(resolve, reject).finally(() => leave(signal, abort));
    if (signal.aborted) abort();
    else enter(signal, abort);
  });
}

function enter(signal: AbortSignal, abort: () => void): void {
  const known = waiting.get(signal);
  if (known !== undefined) {
    known.all.add(abort);
    return;
  }
  const all = new Set([abort]);
  const abortAll = (): void => {
    for (const each of all) each();
  };
  // Before `waiting` is changed, because this throws if the value is not a signal.
  signal.addEventListener('abort', abortAll, { once: true });
  waiting.set(signal, { all, abortAll });
}

/**
 * Removes the listener with the last waiter, because Node keeps a signal of `AbortSignal.any` in memory while it has a listener.
 */
function leave(signal: AbortSignal, abort: () => void): void {
  const known = waiting.get(signal);
  if (known === undefined) return;
  known.all.delete(abort);
  if (known.all.size > 0) return;
  signal.removeEventListener('abort', known.abortAll);
  waiting.delete(signal);
}

/** The longest delay of a timer, in milliseconds; a larger number would count as 1. */
export const longestTimeout: number = 2 ** 31 - 1;

/** Waits for a promise. Rejects with an error of this message after the given time; the work continues. */
export function inTime<T>(promise: Promise<T>, milliseconds: number, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), Math.min(milliseconds, longestTimeout));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
