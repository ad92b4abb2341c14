// Hears all notifications over one connection of a pool, which is opened again whenever it is lost.

import type { ConnectionPool, Connector, PooledConnection } from './client.ts';
import { connect, pause, within } from './within.ts';

/** Milliseconds before a lost connection is opened again: at first, and at most. */
const [firstPause, longestPause] = [100, 5_000];

/** Milliseconds between two checks of the connection, because a network may drop it silently. */
const heartbeat = 30_000;

/** Creates a listener. Its connection is open as long as anything is listened to. */
export function createListener(pool: ConnectionPool, timeout: number): Pick<Connector, 'listen'> {
  /** What to call by channel. */
  const heard = new Map<string, Set<() => void>>();
  /** Aborted once nothing is listened to any more. */
  let unneeded = new AbortController();
  /** Aborted once the current connection is lost. */
  let lost = new AbortController();
  /** Runs a statement on the current connection. */
  let ask: PooledConnection['query'] | undefined;
  /** When the current connection began to hear everything; infinite if it does not. */
  let since = Number.POSITIVE_INFINITY;

  /** Opens a connection, and hears notifications over it until it is lost. */
  async function hear(signal: AbortSignal): Promise<void> {
    const connection = await connect(pool, timeout, signal);
    const end = new AbortController();
    lost = end;
    try {
      connection.on('error', () => end.abort());
      connection.on('end', () => end.abort());
      connection.on('notification', ({ channel }) => call(channel));
      // Also those that are added meanwhile.
      for (const channel of heard.keys()) await within(connection.query(`listen ${channel}`), timeout, signal);
      const run = inTurn(connection);
      ask = run;
      since = performance.now();
      callAll();
      const ended = AbortSignal.any([end.signal, signal]);
      while (!ended.aborted) {
        await pause(heartbeat, ended);
        if (ended.aborted) break;
        const { rows } = await within(run('select pg_backend_pid() as id'), timeout, ended);
        const [session] = rows as readonly { readonly id: number }[];
        // Behind a pooler, which has ids of its own, notifications may be lost, so anything may have been published.
        if (session?.id !== connection.processID) callAll();
      }
    } finally {
      ask = undefined;
      connection.release(true);
    }
  }

  async function keepHearing(signal: AbortSignal): Promise<void> {
    let wait = firstPause;
    while (!signal.aborted) {
      since = Number.POSITIVE_INFINITY;
      await hear(signal).catch(() => {});
      // If the last connection worked for a while, the next one is tried soon.
      wait = performance.now() - since > longestPause ? firstPause : Math.min(wait * 2, longestPause);
      // At random, so that the processes of a fleet do not connect at the same moment.
      await pause(wait * (0.5 + Math.random() / 2), signal);
      // It cannot listen, as on a replica, so anything may have been published.
      if (since === Number.POSITIVE_INFINITY && !signal.aborted) callAll();
    }
  }

  function call(channel: string): void {
    for (const callBack of heard.get(channel) ?? []) callBack();
  }

  function callAll(): void {
    for (const channel of heard.keys()) call(channel);
  }

  function forget(channel: string, callBack: () => void): void {
    const callBacks = heard.get(channel);
    callBacks?.delete(callBack);
    if (callBacks?.size === 0) heard.delete(channel);
    if (heard.size === 0) unneeded.abort();
  }

  return {
    listen(channel, onNotification, signal) {
      if (signal.aborted) return;
      const isFirst = heard.size === 0;
      const callBack = (): void => onNotification();
      heard.set(channel, (heard.get(channel) ?? new Set()).add(callBack));
      signal.addEventListener('abort', () => forget(channel, callBack), { once: true });
      if (isFirst) {
        unneeded = new AbortController();
        void keepHearing(unneeded.signal);
      } else if (ask !== undefined) {
        // If this fails or takes too long, a new connection is opened, which hears the channel.
        within(ask(`listen ${channel}`), timeout).then(callBack, () => lost.abort());
      }
    },
  };
}

/** Runs each statement after the last one has ended, because `pg` will no longer keep statements waiting. */
function inTurn(connection: PooledConnection): PooledConnection['query'] {
  let last: Promise<unknown> = Promise.resolve();
  return (text) => {
    const asked = last.then(() => connection.query(text));
    last = asked.catch(() => {});
    return asked;
  };
}
