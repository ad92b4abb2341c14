// Runs statements with a role of this package and for one tenant, so that row-level security applies.

import { createHash } from 'node:crypto';
import { SkillError } from '@skillful/core';
import { checkKeys } from '@skillful/core/extending';
import type { Connector, PostgresClient, Query } from './client.ts';
import { createEmbeddedConnector } from './embedded.ts';
import { explainFailure } from './failure.ts';
import { createPoolConnector } from './pool.ts';

const connector: unique symbol = Symbol('connector');

export interface SkillDatabaseOptions {
  /**
   * Milliseconds for connecting and for each statement, from 1 to 2,147,483,647.
   * @default 10,000
   */
  readonly timeout?: number | undefined;
}

/** A database with skills. Everything that is created from it shares one connection for notifications. */
export interface SkillDatabase {
  readonly timeout: number;
  /** Opaque to all others. */
  readonly [connector]: Connector;
}

/** The longest timeout that both a timer and PostgreSQL accept. */
const longestTimeout = 2 ** 31 - 1;

/**
 * Creates the database of a fleet from a `Pool` of `pg` or from a `PGlite`. Opens no connection; the client remains yours.
 *
 * @throws {SkillError} `options-invalid`
 */
export function createSkillDatabase(client: PostgresClient, options: SkillDatabaseOptions = {}): SkillDatabase {
  checkKeys('options', options, ['timeout']);
  const { timeout = 10_000 } = options;
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > longestTimeout) {
    const message = `\`timeout\` must be a whole number of milliseconds from 1 to ${longestTimeout}, not ${timeout}.`;
    throw new SkillError('options-invalid', message);
  }
  if (!('connect' in Object(client) || 'transaction' in Object(client))) {
    const message = 'Expected a `Pool` of `pg` or a `PGlite`, which connect to the database.';
    throw new SkillError('options-invalid', message);
  }
  const own = 'connect' in client ? createPoolConnector(client, timeout) : createEmbeddedConnector(client, timeout);
  return { timeout, [connector]: own };
}

/** An arbitrary number for the lock that setting up takes alone, and every other transaction shares. */
export const setUpLock = 7145501;

/** The database, the role and the tenant of statements. */
export interface Session {
  readonly database: SkillDatabase;
  /** `owner` is the role of the login. */
  readonly role: 'owner' | 'skillful_reader' | 'skillful_publisher';
  /** The tenant; empty for the skills that all tenants share. */
  readonly tenant: string;
  readonly signal?: AbortSignal | undefined;
}

export interface TenantOptions {
  /** @default the skills that all tenants share */
  readonly tenant?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tells all processes that the skills of a tenant have changed, once the transaction ends. */
export async function notify(query: Query, tenant: string): Promise<void> {
  await query("select pg_notify($1, '')", [channelOf(tenant)]);
}

/**
 * Checks options, and creates the session that they describe. `others` are the names of further options.
 *
 * @throws {SkillError} `options-invalid`, also if a publisher's `tenant` is given as undefined, such as from a user without one
 */
export function createSession(
  database: SkillDatabase,
  role: Session['role'],
  options: TenantOptions,
  others: readonly string[] = [],
): Session {
  const tenant = checkTenant(options, ['signal', ...others]);
  if (role === 'skillful_publisher' && tenant === '' && 'tenant' in options) {
    const message = '`tenant` is undefined. Name a tenant, or leave it out for the skills that all tenants share.';
    throw new SkillError('options-invalid', message);
  }
  return { database, role, tenant, signal: options.signal };
}

/**
 * Runs statements in one transaction. Role and tenant end with it, so that the next user of the connection has neither.
 *
 * @throws {SkillError} `source-failed`
 */
export async function transact<T>(session: Session, work: (query: Query) => Promise<T>): Promise<T> {
  const { database, role, tenant, signal } = session;
  const settings = [
    "set_config('skillful.tenant', $1, true)",
    "set_config('statement_timeout', $2, true)",
    // A login may have switched off row-level security, and then PostgreSQL would refuse every statement.
    "set_config('row_security', 'on', true)",
    // Otherwise, PostgreSQL would often read the rows of all tenants instead of looking up those of one. It would even do so for
    // each row that is inserted, because it plans the check of a foreign key only once, while the tables may still be small.
    "set_config('enable_seqscan', 'off', true)",
  ];
  if (role !== 'owner') {
    settings.push(
      `set_config('role', '${role}', true)`,
      // In any other schema, someone may have created a function that fits better than the one of PostgreSQL.
      "set_config('search_path', 'pg_catalog, pg_temp', true)",
      // The timeout for statements begins with the next statement, so without this, a session would wait even if its client is gone.
      "set_config('lock_timeout', $2, true)",
      `pg_catalog.pg_advisory_xact_lock_shared(${setUpLock})`,
    );
  }
  const own = Object(database)[connector] as Connector | undefined;
  if (own === undefined) throw new SkillError('options-invalid', 'Expected a database of `createSkillDatabase`.');
  try {
    return await own.transact(async (query) => {
      await query(`select ${settings.join(', ')}`, [tenant, String(database.timeout)]);
      return work(query);
    }, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFailure(error, role);
  }
}

/**
 * Runs a statement that joins many skills of a tenant. Until new rows are analyzed, PostgreSQL has no statistics about them, and
 * would compare all with all in nested loops.
 */
export function withoutLoops(query: Query): Query {
  return async <Row>(text: string, values?: readonly unknown[]) => {
    await query("select set_config('enable_nestloop', 'off', true)");
    const rows = await query<Row>(text, values);
    await query("select set_config('enable_nestloop', 'on', true)");
    return rows;
  };
}

/** Calls back after each publication of a tenant, and whenever one may have been missed, until the signal aborts. */
export function listen(database: SkillDatabase, tenant: string, onChange: () => void, signal: AbortSignal): void {
  database[connector].listen(channelOf(tenant), onChange, signal);
}

/**
 * Returns the name of a tenant's channel. It does not contain the tenant's name, because every role can listen to every channel.
 */
export function channelOf(tenant: string): string {
  return `skillful_${createHash('sha256').update(tenant).digest('hex').slice(0, 32)}`;
}

/**
 * Checks options, and returns their tenant. Skills that all tenants share have the empty name, which an option cannot set, so that
 * it is never used by accident. `others` are the names of further options: a misspelt `tenant` would also mean all tenants.
 */
export function checkTenant(options: Pick<TenantOptions, 'tenant'>, others: readonly string[]): string {
  checkKeys('options', options, ['tenant', ...others]);
  const { tenant } = options;
  if (tenant === undefined) return '';
  if (typeof tenant === 'string' && tenant !== '' && tenant.length <= 256 && !/[\0\p{Cs}]/u.test(tenant)) return tenant;
  const message =
    '`tenant` must be a text of 1 to 256 valid characters. Leave it out for the skills that all tenants share.';
  throw new SkillError('options-invalid', message);
}
