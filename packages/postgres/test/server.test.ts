// The whole package on a real server.

import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSkillDatabase, setUpDatabase } from '../src/index.ts';
import { hasServer, Pool, type Server, startServer } from './server.ts';
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

  it('can be set up while another database of the same server is, which has the same roles', async () => {
    const other = await startServer();
    onTestFinished(other.close);
    const own = new Pool(other.connection);
    const first = await own.connect();
    await first.query('begin');
    await first.query('create role skillful_reader');
    const [told] = await Promise.allSettled([
      setUpDatabase(createSkillDatabase(own)),
      setTimeout(200).then(() => first.query('commit')),
    ]);
    first.release();
    await own.end();
    expect(told).toEqual({ status: 'fulfilled', value: undefined });
  });

  it('does not wait for agents and publishers if it was set up before', async () => {
    const reader = await pool.connect();
    await reader.query('begin');
    await reader.query('lock table skillful.skills in access share mode');
    const again = setUpDatabase(createSkillDatabase(pool, { timeout: 500 }));
    const [told] = await Promise.allSettled([again]);
    await reader.query('rollback');
    reader.release();
    expect(told).toEqual({ status: 'fulfilled', value: undefined });
  });

  it.each([
    ['the roles', 'alter role $ rename to old_$'],
    ['their rights', 'revoke all on schema skillful from $; revoke all on all tables in schema skillful from $'],
  ])('is set up again if %s are missing after it was restored', async (_, statements) => {
    const roles = ['skillful_reader', 'skillful_publisher'];
    for (const role of roles) await pool.query(statements.replaceAll('$', role));
    await setUpDatabase(opened.database);
    const grants = await pool.query(
      `select grantee::text from information_schema.role_table_grants
      where table_schema = 'skillful' and table_name = 'skills' and privilege_type = 'SELECT' and grantee = any($1)
      order by grantee`,
      [roles],
    );
    expect(grants.rows).toEqual([{ grantee: 'skillful_publisher' }, { grantee: 'skillful_reader' }]);
  });
  describe('outage', () => testOutage(() => server));
});
