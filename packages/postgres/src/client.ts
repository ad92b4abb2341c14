// The port to PostgreSQL: what this package needs of a client. `Pool` of `pg` and `PGlite` both fit as they are.

/** What a statement returned. */
interface Result {
  readonly rows: readonly unknown[];
}

/** One connection of a pool. */
export interface PooledConnection {
  query(text: string, values?: unknown[]): Promise<Result>;
  /** Gives the connection back; with `true` it is closed instead. */
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

/** Runs one statement. The type of the rows is what the statement says. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** What both kinds of client can do. */
export interface Connector {
  /** Runs statements in one transaction. Each of them, and connecting, may take as long as the timeout. */
  transact<T>(work: (query: Query) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Calls back after each notification of a channel, and whenever one may have been missed, until the signal aborts. */
  listen(channel: string, onNotification: () => void, signal: AbortSignal): void;
}
