// Prepares a database for skills.

import { createHash } from 'node:crypto';
import { type SkillDatabase, transact } from './database.ts';
import { schema, vectorSchema } from './schema.ts';

/**
 * Creates the schema `skillful` with its tables, also for vectors if the server has `pgvector`, and the roles `skillful_reader`
 * and `skillful_publisher`. Does nothing if this version has done so before. Requires a login that may create roles. Afterwards,
 * grant the two roles to the logins of your agents and of your publisher.
 *
 * @throws {SkillError} `source-failed`
 */
export async function setUpDatabase(database: SkillDatabase): Promise<void> {
  await transact({ database, role: 'owner', tenant: '' }, async (query) => {
    // Two processes that set up at once take turns.
    await query('select pg_advisory_xact_lock(7145501)');
    const available = await query("select from pg_available_extensions where name = 'vector'");
    const statements = available.length > 0 ? [...schema, ...vectorSchema] : schema;
    const digest = createHash('sha256').update(JSON.stringify(statements)).digest('hex');
    // Defining a table again waits for all who use it, and they may wait for this one. After a restore, the roles or their rights may
    // be missing.
    const [before] = await query<{ comment: string | null }>(
      `select obj_description(to_regnamespace('skillful'), 'pg_namespace') as comment
      where has_schema_privilege(to_regrole('skillful_reader')::oid, to_regnamespace('skillful')::oid, 'usage')
        and has_schema_privilege(to_regrole('skillful_publisher')::oid, to_regnamespace('skillful')::oid, 'usage')`,
    );
    if (before?.comment === digest) return;
    for (const statement of statements) await query(statement);
    await query(`comment on schema skillful is '${digest}'`);
  });
}
