// The search in PostgreSQL as an engine: PGlite runs the same code in this process that a server runs.

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { type Embed, loadCatalog, memorySource } from '../../packages/core/dist/index.js';
import {
  createPostgresIndex,
  createSkillDatabase,
  postgresSource,
  publishSkills,
  setUpDatabase,
} from '../../packages/postgres/dist/index.js';
import type { Search } from './metrics.ts';
import type { Described } from './sets.ts';

const limit = 10;

/** Publishes the documents into a new database, and searches them there. */
export async function indexInDatabase(documents: readonly Described[], embed?: Embed): Promise<Search> {
  const database = createSkillDatabase(await PGlite.create({ extensions: { vector } }), { timeout: 600_000 });
  await setUpDatabase(database);
  const ids = new Map(documents.map(({ id, name }) => [name, id]));
  const files = documents.map(({ name, description }) => {
    const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
    return [`${name}/SKILL.md`, text] as const;
  });
  await publishSkills(database, await loadCatalog([memorySource(Object.fromEntries(files))]), { embed });
  const { skills } = await loadCatalog([postgresSource(database)]);
  const index = createPostgresIndex(database, skills, { embed });
  return async (query) => (await index.search(query, { limit })).map(({ skill }) => ids.get(skill.name) ?? '');
}
