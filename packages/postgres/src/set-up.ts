// Prepares a database for skills.

import { type SkillDatabase, transact } from './database.ts';
import { schema, vectorSchema } from './schema.ts';

/**
 * Creates the schema `skillful` with its tables, also for vectors if the server has `pgvector`, and the roles `skillful_reader`
 * and `skillful_publisher`. Keeps existing ones. Requires a login that may create roles. Afterwards, grant the two roles to the
 * logins of your agents and of your publisher.
 *
 * @throws {SkillError} `source-failed`
 */
export async function setUpDatabase(database: SkillDatabase): Promise<void> {
  await transact({ database, role: 'owner', tenant: '' }, async (query) => {
    for (const statement of schema) await query(statement);
    const available = await query("select from pg_available_extensions where name = 'vector'");
    if (available.length > 0) for (const statement of vectorSchema) await query(statement);
  });
}
