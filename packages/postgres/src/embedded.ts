// Talks to PGlite: PostgreSQL in this process, with one connection for all callers.

import type { Connector, EmbeddedPostgres, Query } from './client.ts';
import { within } from './within.ts';

/** Creates a connector over PGlite. */
export function createEmbeddedConnector(database: EmbeddedPostgres, timeout: number): Connector {
  return {
    async transact(work, signal) {
      signal?.throwIfAborted();
      /** Aborted once nobody waits for the transaction any more, so that it changes nothing. */
      const stop = new AbortController();
      /** Stops the transaction if one of its steps takes too long. */
      function limit<T>(step: Promise<T>): Promise<T> {
        within(step, timeout, signal).catch((error: unknown) => stop.abort(error));
        return step;
      }
      // The first step is to wait for the transactions of other callers.
      let begin = (): void => {};
      void limit(new Promise<void>((resolve) => (begin = resolve)));
      const transaction = database.transaction(async (own) => {
        begin();
        const query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
          stop.signal.throwIfAborted();
          return (await limit(own.query(text, [...values]))).rows as readonly Row[];
        };
        const result = await work(query);
        stop.signal.throwIfAborted();
        return result;
      });
      // If it fails before it begins, there is nothing to wait for any more.
      transaction.catch(begin);
      return within(transaction, undefined, stop.signal);
    },
    listen(channel, onNotification, signal) {
      // If the database was closed, there is nothing to hear and nothing to stop.
      const ignore = (): void => {};
      database
        .listen(channel, () => onNotification())
        .then((stop) => {
          if (signal.aborted) return stop();
          signal.addEventListener('abort', () => stop().catch(ignore), { once: true });
          onNotification();
        })
        .catch(ignore);
    },
  };
}
