// The whole package on PGlite.

import { PGlite } from '@electric-sql/pglite';
import { vector as vectorExtension } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe } from 'vitest';
import { createSkillDatabase, setUpDatabase } from '../src/index.ts';
import type { Opened } from './suites/fixture.ts';
import { testMeaning } from './suites/meaning.ts';
import { testDatabase } from './suites/suites.ts';

let opened: Opened;
let pglite: PGlite | undefined;

beforeAll(async () => {
  const created = await PGlite.create({ extensions: { vector: vectorExtension } });
  pglite = created;
  const database = createSkillDatabase(created);
  // Setting up again changes nothing.
  for (let round = 0; round < 2; round += 1) await setUpDatabase(database);
  opened = { database, query: async (text, values) => (await created.query(text, values)).rows };
  // Usually seconds; on a busy machine, PGlite was once seen to block for minutes while it started.
}, 300_000);

afterAll(() => pglite?.close());

testDatabase('PGlite', async () => opened);

// The server of Debian has no `pgvector`.
describe('search by meaning', () => testMeaning(async () => opened));
