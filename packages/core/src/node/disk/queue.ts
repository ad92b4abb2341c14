// Lets work that is asked for at once take turns: thousands of reads then hold neither the event loop nor their content.

// Not the global `setImmediate`: a test with a fake clock replaces that one, and no turn would ever end.
import { setImmediate } from 'node:timers';

export interface Turns {
  /**
   * Asks for a turn. Gives a promise only where others have to come first, or where the signal is aborted already: it keeps
   * their order, holds nothing meanwhile, and rejects with the signal's reason when that is aborted. Whoever got a turn calls
   * `leave` in the end.
   */
  readonly take: (signal: AbortSignal | undefined) => Promise<void> | undefined;
  readonly leave: () => void;
}

/** Pieces of work that begin in one turn of the event loop; the largest `SKILL.md` takes some milliseconds to activate. */
const beginAtOnce = 4;

/** Pieces of work that are under way at once, where they rest in between. */
const underWayAtOnce = 16;

/** Creates turns for work that always ends by itself, as reading a disk does; work that hangs would keep its turn. */
export function createTurns(): Turns {
  const waiting = new Set<() => void>();
  const hear = createHearing();
  let begun = 0;
  let underWay = 0;
  let isScheduled = false;

  const hasRoom = (): boolean => begun < beginAtOnce && underWay < underWayAtOnce;

  function begin(): void {
    begun += 1;
    underWay += 1;
    schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    isScheduled = false;
    begun = 0;
    for (const next of waiting) {
      if (!hasRoom()) break;
      waiting.delete(next);
      begin();
      next();
    }
  }

  return {
    take(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (waiting.size === 0 && hasRoom()) {
        begin();
        return undefined;
      }
      return new Promise((resolve, reject) => {
        const next = (): void => {
          stopHearing?.();
          resolve();
        };
        const stopHearing = hear(signal, () => {
          waiting.delete(next);
          reject(signal?.reason);
        });
        waiting.add(next);
      });
    },
    leave() {
      underWay -= 1;
      if (waiting.size > 0) schedule();
    },
  };
}

/**
 * Gives a function that has something called when a signal is aborted, and gives what takes that back. One listener serves
 * all who share a signal: with each further one it takes a signal longer to take the next.
 */
function createHearing(): (signal: AbortSignal | undefined, call: () => void) => (() => void) | undefined {
  const heard = new Map<AbortSignal, { readonly calls: Set<() => void>; readonly listener: () => void }>();

  function listenTo(signal: AbortSignal): Set<() => void> {
    const calls = new Set<() => void>();
    const listener = (): void => {
      heard.delete(signal);
      for (const call of calls) call();
    };
    heard.set(signal, { calls, listener });
    signal.addEventListener('abort', listener, { once: true });
    return calls;
  }

  return (signal, call) => {
    if (signal === undefined) return undefined;
    const calls = heard.get(signal)?.calls ?? listenTo(signal);
    calls.add(call);
    return () => {
      calls.delete(call);
      const last = heard.get(signal);
      if (calls.size > 0 || last?.calls !== calls) return;
      heard.delete(signal);
      signal.removeEventListener('abort', last.listener);
    };
  };
}
