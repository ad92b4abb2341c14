// Agent Skills in PostgreSQL: publish, load and search skills.

export type {
  ConnectionPool,
  EmbeddedPostgres,
  PooledConnection,
  PostgresClient,
} from './client.ts';
export { createSkillDatabase, type SkillDatabase, type SkillDatabaseOptions, type TenantOptions } from './database.ts';
export { type PublishSkillsOptions, publishSkills } from './publish.ts';
export { createPostgresIndex, type PostgresIndexOptions } from './search.ts';
export type { Publication } from './set-skills.ts';
export { setUpDatabase } from './set-up.ts';
export { type PostgresSourceOptions, postgresSource } from './source.ts';
export { listTenants, removeTenant, type SkillTenant } from './tenants.ts';
export { listVersions, pruneVersions, rollBackSkills, type SkillVersion } from './versions.ts';
