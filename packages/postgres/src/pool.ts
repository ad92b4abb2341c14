// Talks to a server through a pool of connections. If the state of a connection is in doubt, it is closed, not returned.

import type { ConnectionPool, Connector, Query } from './client.ts';
import { codeOf } from './failure.ts';
import { createListener } from './listener.ts';
import { connect, within } from './within.ts';

/** Pools that have our listener. An application may create many databases from one pool, and Node warns of many listeners. */
const withListener = new WeakSet<ConnectionPool>();

/** Creates a connector over a pool. */
export function createPoolConnector(pool: ConnectionPool, timeout: number): Connector {
  if (!withListener.has(pool)) {
    // Without listeners, losing an idle connection would end the process, and so would losing one before `connect` returns it.
    pool.on('error', () => {});
    pool.on('connect', (connection) => connection.on('error', () => {}));
  }
  withListener.add(pool);
  return {
    ...createListener(pool, timeout),
    async transact(work, signal) {
      const connection = await connect(pool, timeout, signal);
      // False while a statement may still run: a failed statement has ended, but one that timed out has not.
      let isIdle = true;
      // Without a listener, losing the connection between two statements would end the process.
      const onError = (): void => {};
      connection.on('error', onError);
      const query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
        isIdle = false;
        const { rows } = await within(
          connection.query(text, [...values]).finally(() => {
            isIdle = true;
          }),
          timeout,
          signal,
        );
        return rows as readonly Row[];
      };
      try {
        // With a stricter default, publishers would fail instead of taking turns.
        await query('begin isolation level read committed');
        const result = await work(query);
        await query('commit');
        return result;
      } catch (error) {
        if (isIdle) await query('rollback').catch(() => (isIdle = false));
        // After a failover, an old connection may still lead to a server that no longer accepts changes.
        if (codeOf(error) === '25006') isIdle = false;
        throw error;
      } finally {
        connection.removeListener('error', onError);
        connection.release(!isIdle);
      }
    },
  };
}
