// Prepares a database for skills.

import { createHash } from 'node:crypto';
import { SkillError } from '@skillful/core';
import { type SkillDatabase, setUpLock, transact } from './database.ts';
import { findExtension } from './pgvector.ts';
import { addVectors, schema, vectorSchema } from './schema.ts';

/** Reads the comment of the schema, and what is there: tables, indexes and functions, the rights of roles to them, and policies. */
const inspection = `select obj_description(to_regnamespace('skillful'), 'pg_namespace') as comment, (
  select string_agg(item, ' ' order by item) from (
    select concat(nspacl) as item from pg_namespace where oid = to_regnamespace('skillful')
    union all
    select concat(relname, relrowsecurity, relacl) from pg_class where relnamespace = to_regnamespace('skillful')
    union all
    select concat(polrelid::regclass, polname, polroles, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
      from pg_policy join pg_class on pg_class.oid = polrelid where relnamespace = to_regnamespace('skillful')
    union all
    select concat(proname, proacl) from pg_proc where pronamespace = to_regnamespace('skillful')
  ) as items
) as found`;

/**
 * Creates the schema `skillful` with its tables, also for vectors if it can use `pgvector`, and the roles `skillful_reader`
 * and `skillful_publisher`. Does nothing if this version has done so before and nothing is missing. Requires a login that may
 * create roles, and a database with UTF8. Afterwards, grant the two roles to the logins of your agents and of your publisher.
 *
 * @throws {SkillError} `source-failed`
 */
export async function setUpDatabase(database: SkillDatabase): Promise<void> {
  await transact({ database, role: 'owner', tenant: '' }, async (query) => {
    const [{ encoding = '' } = {}] = await query<{ encoding: string }>('select getdatabaseencoding() as encoding');
    if (encoding !== 'UTF8') {
      throw new SkillError('source-failed', `the database has the encoding ${encoding}; create one with UTF8`);
    }
    // The extension goes where the login creates everything else. After that, only functions of PostgreSQL are called.
    await query(addVectors);
    await query("select set_config('search_path', 'pg_catalog, pg_temp', true)");
    const pgvector = await findExtension(query);
    const statements = pgvector === undefined ? schema : [...schema, ...vectorSchema(pgvector)];
    async function inspect() {
      const [row] = await query<{ comment: string | null; found: string | null }>(inspection);
      const digest = createHash('sha256')
        .update(JSON.stringify([statements, row?.found]))
        .digest('hex');
      return { digest, isReady: row?.comment === digest };
    }
    if ((await inspect()).isReady) return;
    // Agents, publishers and other processes that set up wait until this transaction ends, because they could block each other. If
    // it has to wait itself, for example for a backup, it gives up after half its timeout, before they do.
    await query("select set_config('lock_timeout', $1, true)", [String(Math.ceil(database.timeout / 2))]);
    await query(`select pg_advisory_xact_lock(${setUpLock})`);
    if ((await inspect()).isReady) return;
    for (const statement of statements) await query(statement);
    await query(`comment on schema skillful is '${(await inspect()).digest}'`);
  });
}
