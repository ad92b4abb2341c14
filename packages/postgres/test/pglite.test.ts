// The whole package on PGlite.

import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll } from 'vitest';
import { createSkillDatabase, setUpDatabase } from '../src/index.ts';
import type { Opened } from './suites/fixture.ts';
import { testDatabase } from './suites/suites.ts';

let opened: Opened;
let pglite: PGlite;

beforeAll(async () => {
  pglite = await PGlite.create();
  const database = createSkillDatabase(pglite);
  // Setting up again changes nothing.
  for (let round = 0; round < 2; round += 1) await setUpDatabase(database);
  opened = { database, query: async (text, values) => (await pglite.query(text, values)).rows };
}, 60_000);

afterAll(() => pglite.close());

testDatabase('PGlite', async () => opened);
