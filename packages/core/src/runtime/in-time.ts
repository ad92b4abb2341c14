// Gives up on work that does not end.

/** The most milliseconds that a timer takes; it would count a larger number as one. */
export const longestTimeout: number = 2 ** 31 - 1;

/** Waits for a promise. Rejects with an error of this message if it takes longer; the work continues. */
export function inTime<T>(promise: Promise<T>, milliseconds: number, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
