// The whole package on PGlite.

import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector as vectorExtension } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transact } from '../src/database.ts';
import { createSkillDatabase, setUpDatabase } from '../src/index.ts';
import { newTenant, type Opened } from './suites/fixture.ts';
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

it('changes nothing if it takes too long', async () => {
  const database = createSkillDatabase(pglite ?? (await PGlite.create()), { timeout: 50 });
  const tenant = newTenant();
  const session = { database, role: 'skillful_publisher', tenant } as const;
  const late = transact(session, async (query) => {
    await query('insert into skillful.tenants values ($1, 1)', [tenant]);
    await setTimeout(100);
    await query('insert into skillful.versions values ($1, 1, now(), 0)', [tenant]);
  });
  await expect(late).rejects.toThrow('the database did not answer within 50 ms');
  await setTimeout(100);
  const published = await opened.query('select version from skillful.tenants where tenant = $1', [tenant]);
  expect(published).toEqual([]);
});

// The server of Debian has no `pgvector`.
describe('search by meaning', () => testMeaning(async () => opened));
