// The whole package on a real server.

import { Pool } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { createSkillDatabase, setUpDatabase } from '../src/index.ts';
import { hasServer, type Server, startServer } from './server.ts';
import type { Opened } from './suites/fixture.ts';
import { testOutage } from './suites/outage.ts';
import { testDatabase } from './suites/suites.ts';

describe.skipIf(!hasServer)('a server', () => {
  let opened: Opened;
  let server: Server;
  let pool: Pool;

  beforeAll(async () => {
    server = await startServer();
    pool = new Pool({ ...server.connection, max: 4 });
    const database = createSkillDatabase(pool);
    // Several processes may set up at once.
    await Promise.all([1, 2, 3].map(() => setUpDatabase(database)));
    opened = { database, query: async (text, values) => (await pool.query(text, values)).rows };
  }, 60_000);

  afterAll(async () => {
    await pool.end();
    await server.close();
  });

  testDatabase('a server', async () => opened);
  describe('outage', () => testOutage(() => server));
});
