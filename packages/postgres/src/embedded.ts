// Talks to PGlite: PostgreSQL in this process, with one connection for all callers.

import type { Connector, EmbeddedPostgres, Query } from './client.ts';
import { within } from './within.ts';

/** Creates a connector over PGlite. */
export function createEmbeddedConnector(database: EmbeddedPostgres, timeout: number): Connector {
  return {
    async transact(work, signal) {
      signal?.throwIfAborted();
      const stop = new AbortController();
      const transaction = database.transaction(async (own) => {
        const query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
          stop.signal.throwIfAborted();
          return (await own.query(text, [...values])).rows as readonly Row[];
        };
        const result = await work(query);
        stop.signal.throwIfAborted();
        return result;
      });
      try {
        // Measures the whole transaction, because it may have to wait for those of other callers.
        return await within(transaction, timeout, signal);
      } catch (error) {
        // Nobody waits for it any more, so it must not change anything.
        stop.abort(error);
        throw error;
      }
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
