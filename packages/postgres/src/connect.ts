// Takes a connection from a pool, but does not wait for it forever, as a pool would.

import type { ConnectionPool, PooledConnection } from './client.ts';
import { within } from './within.ts';

/** Takes a connection from the pool. One that comes too late goes back. */
export async function connect(pool: ConnectionPool, timeout: number, signal?: AbortSignal): Promise<PooledConnection> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  try {
    return await within(connecting, timeout, signal);
  } catch (error) {
    connecting.then(
      (connection) => connection.release(),
      () => {},
    );
    throw error;
  }
}
