// Takes a connection from a pool, with a limit for waiting, which a pool may lack.

import type { ConnectionPool, PooledConnection } from './client.ts';
import { within } from './within.ts';

/** Takes a connection from the pool. A connection that arrives too late is returned. */
export async function connect(pool: ConnectionPool, timeout: number, signal?: AbortSignal): Promise<PooledConnection> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  try {
    const message = `no connection within ${timeout} ms; check that the server runs, or use a larger pool`;
    return await within(connecting, timeout, signal, message);
  } catch (error) {
    connecting.then(
      (connection) => connection.release(),
      () => {},
    );
    throw error;
  }
}
