// The whole package on a real server.

import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { loadCatalog } from '@skillful/core';
import { types } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConnectionPool, Query } from '../src/client.ts';
import { transact } from '../src/database.ts';
import {
  createSkillDatabase,
  listVersions,
  postgresSource,
  pruneVersions,
  publishSkills,
  removeTenant,
  rollBackSkills,
  setUpDatabase,
} from '../src/index.ts';
import { hasServer, Pool, type Server, startServer } from './server.ts';
import { catalogOf, insertSkills, namesOf, newTenant, type Opened, skill } from './suites/fixture.ts';
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

  testDatabase('a server', async () => ({ ...opened, tenant: newTenant() }));

  /** Does something in the middle of an agent's transaction. */
  function read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return transact({ database: opened.database, role: 'skillful_reader', tenant: '' }, async (query) => {
      await query('select from skillful.skills');
      return work(query);
    });
  }

  it.each([
    ['has the same roles', 'begin; create role skillful_reader'],
    ['grants them', 'create role skillful_reader; begin; grant skillful_reader to current_user'],
  ])('can be set up while another database of the same server is, which %s', async (_, statements) => {
    const other = await startServer();
    onTestFinished(other.close);
    const own = new Pool(other.connection);
    const first = await own.connect();
    for (const statement of statements.split('; ')) await first.query(statement);
    const [told] = await Promise.allSettled([
      setUpDatabase(createSkillDatabase(own)),
      setTimeout(200).then(() => first.query('commit')),
    ]);
    first.release();
    await own.end();
    expect(told).toEqual({ status: 'fulfilled', value: undefined });
  });

  it('restores and removes thousands of skills of a tenant that it has no statistics about', async () => {
    const other = await startServer();
    onTestFinished(other.close);
    const own = new Pool(other.connection);
    const database = createSkillDatabase(own);
    await setUpDatabase(database);
    const insert = (tenant: string, last: number) =>
      transact({ database, role: 'skillful_publisher', tenant }, (query) => insertSkills(query, tenant, 1, last));
    for (const tenant of ['first', 'second', 'third']) await insert(tenant, 5_000);
    await own.query('analyze skillful.bundles, skillful.skills');
    const [a, b] = [await catalogOf(skill('a', 'Does a.')), await catalogOf(skill('b', 'Does b.'))];
    await publishSkills(database, a, { tenant: 'new' });
    await insert('new', 15_000);
    const replaced = await publishSkills(database, b, { tenant: 'new' });
    // To compare each skill with all others would take longer than a statement may.
    const restored = await rollBackSkills(database, 1, { tenant: 'new' });
    const unchanged = await rollBackSkills(database, 1, { tenant: 'new' });
    await publishSkills(database, b, { tenant: 'new' });
    const pruned = await pruneVersions(database, 1, { tenant: 'new' });
    await own.end();
    expect([replaced.removed.length, restored.added.length, unchanged.added.length]).toEqual([15_001, 15_001, 0]);
    expect(pruned).toEqual({ versions: 3, skills: 15_001 });
  }, 120_000);

  /** Creates a database whose statements get the values that a function returns, when it returns them. */
  function intercept(
    valuesFor: (text: string, values?: unknown[]) => unknown[] | undefined | Promise<unknown[] | undefined>,
  ) {
    const client: ConnectionPool = {
      on: () => {},
      async connect() {
        const connection = await pool.connect();
        const query = async (text: string, values?: unknown[]) => connection.query(text, await valuesFor(text, values));
        return Object.assign(Object.create(connection), { query, release: () => connection.release() });
      },
    };
    return createSkillDatabase(client);
  }

  /** Creates a database that waits before a statement, and tells when it has arrived there. */
  function pauseBefore(statement: string, isMeant = () => true) {
    const events = new EventEmitter();
    const reached = once(events, 'reached');
    const resumed = once(events, 'resumed');
    const database = intercept(async (text, values) => {
      if (text.startsWith(statement) && isMeant()) {
        events.emit('reached');
        await resumed;
      }
      return values;
    });
    return { database, reached, goOn: () => events.emit('resumed') };
  }

  /** Publishes a skill of a tenant, and begins to remove the tenant. `finish` does the rest. */
  async function removeHalf(tenant: string) {
    await publishSkills(opened.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const { database, reached, goOn } = pauseBefore('delete from skillful.tenants');
    const removing = removeTenant(database, tenant);
    await reached;
    return {
      finish: () => {
        goOn();
        return removing;
      },
    };
  }

  /** Waits until a statement waits for a lock. */
  const isBlocked = () =>
    vi.waitFor(async () => {
      const { rowCount } = await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'");
      expect(rowCount).toBeGreaterThan(0);
    }, 5_000);

  /** What the database has of a tenant: how many rows of each table. */
  const rowsOf = (tenant: string) =>
    Promise.all(
      ['tenants', 'versions', 'skills', 'bundles', 'files'].map(async (table) => {
        return (await pool.query(`select from skillful.${table} where tenant = $1`, [tenant])).rowCount;
      }),
    );

  it('publishes skills as a whole if their tenant is being removed', async () => {
    const tenant = newTenant();
    const removal = await removeHalf(tenant);
    const publishing = publishSkills(opened.database, await catalogOf(skill('b', 'Does b.')), { tenant });
    await isBlocked();
    await removal.finish();
    expect(await publishing).toEqual({ version: 1, added: ['b'], changed: [], removed: [] });
    expect(await rowsOf(tenant)).toEqual([1, 1, 1, 1, 1]);
  });

  it('publishes nothing if the removal of its tenant removes a skill that was sent', async () => {
    const tenant = newTenant();
    const catalog = await catalogOf(skill('a', 'Does a.'));
    const publication = pauseBefore('insert into skillful.tenants');
    const publishing = publishSkills(publication.database, catalog, { tenant });
    await publication.reached;
    await removeTenant(opened.database, tenant);
    publication.goOn();
    await expect(publishing).rejects.toThrow(
      'was removed by `pruneVersions` or `removeTenant` meanwhile; publish again',
    );
    expect(await rowsOf(tenant)).toEqual([0, 0, 0, 0, 0]);
  });

  it('removes a tenant whose first version is being published', async () => {
    const tenant = newTenant();
    const publication = pauseBefore('insert into skillful.versions');
    const publishing = publishSkills(publication.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    await publication.reached;
    const removing = removeTenant(opened.database, tenant);
    await isBlocked();
    publication.goOn();
    expect((await publishing).version).toBe(1);
    await removing;
    expect(await rowsOf(tenant)).toEqual([0, 0, 0, 0, 0]);
  });

  it('lists what a tenant has published again if it is removed in the middle of a listing', async () => {
    const tenant = newTenant();
    await publishSkills(opened.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const listing = pauseBefore('select digest, substring(head');
    const loading = loadCatalog([postgresSource(listing.database, { tenant })]);
    await listing.reached;
    await removeTenant(opened.database, tenant);
    await publishSkills(opened.database, await catalogOf(skill('b', 'Does b.')), { tenant });
    listing.goOn();
    const catalog = await loading;
    expect([namesOf(catalog), catalog.diagnostics]).toEqual([['b'], []]);
  });

  it('restores no version whose tenant is being removed', async () => {
    const tenant = newTenant();
    const removal = await removeHalf(tenant);
    const told = Promise.allSettled([rollBackSkills(opened.database, 1, { tenant })]);
    await isBlocked();
    await removal.finish();
    expect(await told).toMatchObject([{ reason: { message: expect.stringContaining('there is no version 1') } }]);
    await pruneVersions(opened.database, 1, { tenant });
    expect(await rowsOf(tenant)).toEqual([0, 0, 0, 0, 0]);
  });

  it.each([
    ['nothing', undefined, [], ['source-unpublished']],
    ['other skills as the same version', skill('zz', 'Does zz.'), ['zz'], []],
  ])(
    'lists all pages of one version if a tenant is removed between two, and %s is published',
    async (_, files, names, codes) => {
      const tenant = newTenant();
      await publishSkills(opened.database, await catalogOf(skill('a', 'Does a.')), { tenant });
      await transact({ database: opened.database, role: 'skillful_publisher', tenant }, (query) =>
        insertSkills(query, tenant, 1, 5_000),
      );
      let pages = 0;
      const listing = pauseBefore('select s.directory', () => {
        pages += 1;
        return pages === 2;
      });
      const loading = loadCatalog([postgresSource(listing.database, { tenant })]);
      await listing.reached;
      await removeTenant(opened.database, tenant);
      if (files !== undefined) await publishSkills(opened.database, await catalogOf(files), { tenant });
      listing.goOn();
      const catalog = await loading;
      expect([namesOf(catalog), catalog.diagnostics.map(({ code }) => code)]).toEqual([names, codes]);
    },
  );

  it('lists a version if the application has its own parser for numbers', async () => {
    const tenant = newTenant();
    await publishSkills(opened.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const getTypeParser = (id: number) =>
      id === types.builtins.FLOAT8 ? (text: string) => ({ text }) : types.getTypeParser(id);
    const own = new Pool({ ...server.connection, types: { getTypeParser } });
    onTestFinished(() => own.end());
    const source = postgresSource(createSkillDatabase(own), { tenant });
    expect((await source.list()).entries).toHaveLength(1);
  });

  it('gives up a listing whose version is gone each time, as on replicas of which one lags', async () => {
    const tenant = newTenant();
    await publishSkills(opened.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const database = intercept((text, values) =>
      text.includes('left join skillful.versions') ? values : values?.map((value) => (value === 1 ? 2 : value)),
    );
    const { diagnostics } = await loadCatalog([postgresSource(database, { tenant })]);
    expect(diagnostics[0]?.message).toContain('the skills changed again and again while they were listed');
  });

  it('keeps a tenant whose first publication had no skills when it prunes', async () => {
    const tenant = newTenant();
    await publishSkills(opened.database, await catalogOf(), { tenant });
    await pruneVersions(opened.database, 1, { tenant });
    expect(await rowsOf(tenant)).toEqual([1, 0, 0, 0, 0]);
  });

  it('removes more versions at once than a function may have arguments', async () => {
    const { database, query } = opened;
    const tenant = newTenant();
    await query('insert into skillful.versions select $1, n, now(), 0 from generate_series(1, 200000) as n', [tenant]);
    expect(await pruneVersions(database, 1, { tenant })).toEqual({ versions: 199_999, skills: 0 });
  });

  it('can be set up by a login that may not create roles, if an administrator has created them', async () => {
    const other = await startServer();
    onTestFinished(other.close);
    const admin = new Pool(other.connection);
    for (const statement of [
      'create role owner login',
      'grant create on database postgres to owner',
      'create role skillful_reader',
      'create role skillful_publisher',
      'grant skillful_reader, skillful_publisher to owner',
    ]) {
      await admin.query(statement);
    }
    await admin.end();
    const own = new Pool({ ...other.connection, user: 'owner' });
    const database = createSkillDatabase(own);
    await setUpDatabase(database);
    const published = await publishSkills(database, await catalogOf(skill('a', 'Does a.')));
    await own.end();
    expect(published.added).toEqual(['a']);
  });

  it('publishes again after a failover, although the pool has a connection to the old primary', async () => {
    const own = new Pool({ ...server.connection, max: 1 });
    onTestFinished(() => own.end());
    const publish = async () =>
      publishSkills(createSkillDatabase(own), await catalogOf(skill('a', 'Does a.')), { tenant: newTenant() });
    await own.query('set default_transaction_read_only = on');
    await expect(publish()).rejects.toThrow('this login may only read here; connect to the primary');
    expect((await publish()).added).toEqual(['a']);
  });

  it('says when a version was published, even if the application has its own parser for dates', async () => {
    const tenant = newTenant();
    await publishSkills(opened.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const dates = 1184;
    const getTypeParser = (id: number) => (id === dates ? String : types.getTypeParser(id));
    const own = new Pool({ ...server.connection, types: { getTypeParser } });
    onTestFinished(() => own.end());
    const told = await listVersions(createSkillDatabase(own), { tenant });
    expect(told).toEqual([{ version: 1, published: expect.any(Date), skills: 1 }]);
    expect(Math.abs(Date.now() - Number(told[0]?.published))).toBeLessThan(60_000);
  });

  it('sorts the texts of each index by their bytes, which no update of the operating system changes', async () => {
    const others = await pool.query(`select indrelid::regclass as table, attname as column
      from pg_index join pg_class c on c.oid = indrelid join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where relnamespace = 'skillful'::regnamespace and attcollation not in (0, '"C"'::regcollation)`);
    expect(others.rows).toEqual([]);
  });

  it('does not wait for agents and publishers if it was set up before', async () => {
    const again = createSkillDatabase(pool, { timeout: 500 });
    const told = await read(() => Promise.allSettled([setUpDatabase(again)]));
    expect(told).toEqual([{ status: 'fulfilled', value: undefined }]);
  });

  it('fails neither itself nor an agent that is at work if another version was set up before', async () => {
    await pool.query("comment on schema skillful is 'another version'");
    const told = await read(async (query) => {
      const setUp = Promise.allSettled([setUpDatabase(opened.database)]);
      await setTimeout(200);
      await query('select from skillful.tenants');
      // A function, so that the set-up is not awaited before this transaction has ended.
      return () => setUp;
    });
    expect(await told()).toEqual([{ status: 'fulfilled', value: undefined }]);
  });

  it('gives up while a backup reads the tables, before the agents that wait for it do', async () => {
    await pool.query("comment on schema skillful is 'another version'");
    const backup = await pool.connect();
    await backup.query('begin');
    await backup.query('lock table skillful.skills in access share mode');
    const setUp = setUpDatabase(createSkillDatabase(pool, { timeout: 3000 }));
    const source = postgresSource(createSkillDatabase(pool, { timeout: 2500 }));
    const told = await Promise.allSettled([setUp, setTimeout(200).then(() => source.list())]);
    await backup.query('rollback');
    backup.release();
    const message =
      'the database did not answer in time; check its load and locks (canceling statement due to lock timeout)';
    expect(told).toMatchObject([{ reason: { message } }, { status: 'fulfilled' }]);
    await setUpDatabase(opened.database);
  });

  it.each([
    'drop table skillful.files',
    'drop index skillful.bundles_words',
    'drop policy reading on skillful.skills',
    'alter policy reading on skillful.files using (true)',
    'revoke insert on skillful.skills from skillful_publisher',
    'revoke execute on all functions in schema skillful from skillful_reader',
    'alter table skillful.bundles disable row level security',
  ])('is set up again after `%s`', async (statement) => {
    const inspect = () =>
      pool.query(`select relname as name, relrowsecurity as secure, array(select unnest(relacl)::text order by 1) as rights
        from pg_class
        where relnamespace = 'skillful'::regnamespace
        union all select concat(tablename, policyname), null, array[qual, with_check]
        from pg_policies where schemaname = 'skillful'
        union all select proname, null, array(select unnest(proacl)::text order by 1)
        from pg_proc where pronamespace = 'skillful'::regnamespace
        order by name`);
    const before = await inspect();
    await pool.query(statement);
    await setUpDatabase(opened.database);
    expect((await inspect()).rows).toEqual(before.rows);
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
