// The port to PostgreSQL: what this package needs from a client. `Pool` of `pg` and `PGlite` both fit without a wrapper.

interface Result {
  readonly rows: readonly unknown[];
}

/** One connection of a pool. */
export interface PooledConnection {
  /** The id of its session, by which a connection through a pooler is recognised. */
  readonly processID?: number | null;
  query(text: string, values?: unknown[]): Promise<Result>;
  /** Returns the connection to the pool, or closes it with `true`. */
  release(destroy?: boolean): void;
  on(event: 'notification', listener: (message: { readonly channel: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of connections to a server, such as `Pool` of `pg`. */
export interface ConnectionPool {
  connect(): Promise<PooledConnection>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Called with each new connection, before `connect` returns it. */
  on(event: 'connect', listener: (connection: Pick<PooledConnection, 'on'>) => void): unknown;
}

/** PostgreSQL inside this process, such as `PGlite`. */
export interface EmbeddedPostgres {
  transaction<T>(
    work: (transaction: { query(text: string, values?: unknown[]): Promise<Result> }) => Promise<T>,
  ): Promise<T>;
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
}

/** A client of PostgreSQL: a pool of connections, or the database itself. */
export type PostgresClient = ConnectionPool | EmbeddedPostgres;

/** Runs one statement. `Row` must match the columns of the statement. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** The operations of both kinds of clients. */
export interface Connector {
  /** Runs statements in one transaction. The timeout applies to each statement, and to connecting. */
  transact<T>(work: (query: Query) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Calls back after each notification of a channel, and whenever one may have been missed, until the signal aborts. */
  listen(channel: string, onNotification: () => void, signal: AbortSignal): void;
}
