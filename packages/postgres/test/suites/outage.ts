// A database that goes away, comes back, lags or refuses: clear words, nothing lost, nothing that hangs.

import { setTimeout } from 'node:timers/promises';
import {
  cacheSource,
  createToolkit,
  loadCatalog,
  memorySource,
  type SkillEvent,
  type SkillSource,
  watchCatalog,
} from '@skillful/core';
import type { PoolConfig } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { channelOf, listen, setUpLock, transact } from '../../src/database.ts';
import {
  createPostgresIndex,
  createSkillDatabase,
  listTenants,
  postgresSource,
  pruneVersions,
  publishSkills,
  rollBackSkills,
  setUpDatabase,
} from '../../src/index.ts';
import { Pool, type Server } from '../server.ts';
import { catalogOf, firstOf, namesOf, newTenant, searchPublished, skill, textOf } from './fixture.ts';

export function testOutage(getServer: () => Server): void {
  /** A process and a tenant of its own: nothing of it is shared with the other tests. */
  function connect({ timeout = 2000, ...connection }: PoolConfig & { readonly timeout?: number } = {}) {
    const pool = new Pool({ ...getServer().connection, max: 3, ...connection });
    onTestFinished(() => pool.end());
    return { pool, database: createSkillDatabase(pool, { timeout }), tenant: newTenant() };
  }

  it('keeps what it has while the server is gone, says so, and catches up when it is back', async () => {
    const server = getServer();
    const tenant = newTenant();
    const publisher = connect();
    const agent = connect();
    await publishSkills(publisher.database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const far = postgresSource(agent.database, { tenant });
    const list = vi.fn(far.list);
    const source = cacheSource({ ...far, list });
    const told: string[] = [];
    const watch = await watchCatalog([source], {
      interval: 20,
      onChange: (_, { added }) => {
        told.push(...added.map(({ name }) => name));
      },
    });
    onTestFinished(watch.close);
    const known = firstOf(watch.catalog());
    // The first one is the catalog, the second one follows the beginning of the watch.
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    await source.list();
    await source.readFile(known, 'SKILL.md');
    const toolkit = createToolkit(() => watch.catalog());
    const prepare = () => toolkit.prepare([{ key: '1', role: 'user', text: '/a' }]);
    const before = await prepare();
    expect(JSON.stringify(before.edits)).toContain('Do it.');

    await server.kill();
    expect((await prepare()).edits).toEqual(before.edits);
    const unreachable = /^the database cannot be reached; check that it runs \(/;
    const uncached = postgresSource(agent.database, { tenant });
    await expect(uncached.list()).rejects.toMatchObject({
      code: 'source-failed',
      message: expect.stringMatching(unreachable),
    });
    await expect(uncached.readFile(known, 'SKILL.md')).rejects.toMatchObject({
      code: 'resource-unreadable',
      cause: { message: expect.stringMatching(unreachable) },
    });
    await expect(createPostgresIndex(agent.database, [known], { tenant }).search('a')).rejects.toThrow(unreachable);
    const cold = await loadCatalog([uncached]);
    const kept = await loadCatalog([uncached], { previous: watch.catalog() });
    expect([namesOf(watch.catalog()), textOf(await source.readFile(known, 'SKILL.md'))]).toEqual([
      ['a'],
      '---\nname: a\ndescription: Does a.\n---\nDo it.\n',
    ]);
    expect([cold, kept].map((catalog) => [namesOf(catalog), catalog.diagnostics.map(({ code }) => code)])).toEqual([
      [[], ['source-failed']],
      [['a'], ['source-kept']],
    ]);

    await server.start();
    await publishSkills(publisher.database, await catalogOf(skill('a', 'Does a.'), skill('b', 'Does b.')), { tenant });
    await vi.waitFor(() => expect(told).toEqual(['b']), { timeout: 10_000 });
    expect(watch.catalog().diagnostics).toEqual([]);
  });

  it('tells a model that the database failed, and only the application why', async () => {
    const { pool, database, tenant } = connect();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.'), { 'a/b.md': 'b' }), { tenant });
    const events: SkillEvent[] = [];
    const { tools } = createToolkit(await loadCatalog([postgresSource(database, { tenant })]), {
      tools: { files: true },
      onEvent: (event) => events.push(event),
    });
    await pool.query('alter table skillful.files rename to lost');
    onTestFinished(async () => void (await connect().pool.query('alter table skillful.lost rename to files')));
    const inputs = new Map<string, object>([
      ['activate_skill', { name: 'a' }],
      ['read_skill_resource', { skill: 'a', path: 'b.md' }],
      ['list_skill_resources', { skill: 'a' }],
    ]);
    for (const tool of tools) {
      const { text } = await tool.execute(inputs.get(tool.name) ?? {});
      expect(text).toMatch(/The database failed, so the files of this skill cannot be read now\. Try again later\.$/);
    }
    const reasons = events.map((event) => 'reason' in event && event.reason);
    const why = expect.stringContaining('call `setUpDatabase` first (relation "skillful.files" does not exist)');
    expect(reasons).toEqual(tools.map(() => why));
  });

  it.each([
    ['lags', 'lock table skillful.skills in access exclusive mode'],
    ['takes long to set up', `select pg_advisory_xact_lock(${setUpLock})`],
  ])('gives up on a database that %s, and asks again until it answers', async (_, lock) => {
    const { database, pool, tenant } = connect({ timeout: 300 });
    await publishSkills(database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const source = postgresSource(database, { tenant });
    const codes = async () => {
      await watch.check();
      return watch.catalog().diagnostics.map(({ code }) => code);
    };
    const watch = await watchCatalog([source], { interval: 20, onChange: () => {} });
    onTestFinished(watch.close);
    const locker = await connect().pool.connect();
    await locker.query('begin');
    await locker.query(lock);
    await expect(source.list()).rejects.toThrow(/did not answer/);
    const stop = new AbortController();
    const listing = source.list({ signal: stop.signal });
    await setTimeout(100);
    stop.abort(new Error('stopped'));
    await expect(listing).rejects.toThrow('stopped');
    // What was given up on is not in the pool any more.
    expect((await pool.query('select current_user::text as role')).rows).toEqual([{ role: 'postgres' }]);
    expect([await codes(), namesOf(watch.catalog())]).toEqual([['source-kept'], ['a']]);
    // The server gives up, too.
    const waiting = "select query from pg_stat_activity where wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect((await locker.query(waiting)).rows).toEqual([]), { timeout: 5000 });
    await locker.query('rollback');
    locker.release();
    expect(await codes()).toEqual([]);
  });

  it('fails, and does not end the process, if the connection is lost between two statements', async () => {
    const { database } = connect();
    const admin = connect().pool;
    const running = transact({ database, role: 'skillful_reader', tenant: '' }, async (query) => {
      const [row] = await query<{ pid: number }>('select pg_backend_pid() as pid');
      await admin.query('select pg_terminate_backend($1)', [row?.pid]);
      await setTimeout(100);
      return query('select 1');
    });
    await expect(running).rejects.toMatchObject({
      code: 'source-failed',
      message: expect.stringMatching(/^the database cannot be reached; check that it runs \(/),
    });
  });

  it('lets no other role search, even if it may use the schema', async () => {
    const { pool } = connect();
    await pool.query('create role stranger login');
    await pool.query('grant usage on schema skillful to stranger');
    const stranger = connect({ user: 'stranger' }).pool;
    const search = stranger.query("select * from skillful.search('{}', '{a}', 1, 1)");
    await expect(search).rejects.toThrow('permission denied for function');
  });

  it('hears what may have been published while its connection hung', async () => {
    const { database, pool } = connect({ timeout: 300 });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const [first, second] = [vi.fn(), vi.fn()];
    const tenant = newTenant();
    listen(database, tenant, first, stop.signal);
    await vi.waitFor(() => expect(first).toHaveBeenCalledTimes(1));
    const { rows } = await pool.query('select pid from pg_stat_activity where query = $1', [
      `listen ${channelOf(tenant)}`,
    ]);
    const pid = Number(rows[0]?.pid);
    process.kill(pid, 'SIGSTOP');
    listen(database, newTenant(), second, stop.signal);
    await setTimeout(600);
    process.kill(pid, 'SIGCONT');
    await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(1), { timeout: 5000 });
  });

  it('keeps the whole previous version if the server crashes while the next one is published', async () => {
    const server = getServer();
    const { database, tenant } = connect();
    await publishSkills(database, await catalogOf(skill('old', 'Was there before.')), { tenant });
    const names = Array.from({ length: 100 }, (_, number) => `new-${String(number).padStart(2, '0')}`);
    const memory = memorySource(Object.assign({}, ...names.map((name) => skill(name, 'Comes next.'))));
    let isFirst = true;
    const crashing: SkillSource = {
      ...memory,
      async readFile(file, path, options) {
        // Of the second batch, after the first one was sent.
        if (isFirst && file.directory === 'new-80') {
          isFirst = false;
          await server.kill();
        }
        return memory.readFile(file, path, options);
      },
    };
    const catalog = await loadCatalog([crashing]);
    await expect(publishSkills(database, catalog, { tenant })).rejects.toMatchObject({ code: 'source-failed' });
    await server.start();
    const source = postgresSource(database, { tenant });
    expect(namesOf(await loadCatalog([source]))).toEqual(['old']);
    const { version, added, removed } = await publishSkills(database, catalog, { tenant });
    expect([version, added, removed]).toEqual([2, names, ['old']]);
    expect(namesOf(await loadCatalog([source]))).toEqual(names);
  });

  it('goes back to a whole version or to none, even if versions are removed at the same moment', async () => {
    const { pool, database, tenant } = connect();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.'), skill('b', 'Does b.')), { tenant });
    await publishSkills(database, await catalogOf(skill('b', 'Does b.')), { tenant });
    // What `pruneVersions` does, but it stays in its transaction for a while.
    const pruner = await pool.connect();
    await pruner.query('begin');
    await pruner.query('select from skillful.tenants where tenant = $1 for update', [tenant]);
    await pruner.query('delete from skillful.versions where tenant = $1 and version = 1', [tenant]);
    await pruner.query('delete from skillful.skills where tenant = $1 and last <= 2', [tenant]);
    const [goneBack] = await Promise.allSettled([
      rollBackSkills(database, 1, { tenant }),
      setTimeout(200).then(() => pruner.query('commit')),
    ]);
    pruner.release();
    expect(goneBack).toMatchObject({
      reason: { message: 'there is no version 1; `listVersions` returns those there are' },
    });
    expect(namesOf(await loadCatalog([postgresSource(database, { tenant })]))).toEqual(['b']);
  });

  it('keeps a removed skill that is published again at the same moment', async () => {
    const { pool, database, tenant } = connect();
    for (const text of ['Is old.', 'Is new.']) {
      await publishSkills(database, await catalogOf(skill('a', text)), { tenant });
    }
    // What `publishSkills` does, but it stays in its transaction for a while.
    const publisher = await pool.connect();
    await publisher.query('begin');
    await publisher.query('select from skillful.tenants where tenant = $1 for update', [tenant]);
    await publisher.query(
      `insert into skillful.skills select tenant, 'again', digest, 3 from skillful.skills where tenant = $1 and first = 1`,
      [tenant],
    );
    const [pruned] = await Promise.allSettled([
      pruneVersions(database, 1, { tenant }),
      setTimeout(200).then(() => publisher.query('commit')),
    ]);
    publisher.release();
    expect(pruned).toEqual({ status: 'fulfilled', value: { versions: 1, skills: 0 } });
  });

  it('lists a whole version, even if it was removed after the listing began', async () => {
    const { pool, database, tenant } = connect();
    const old = [skill('a', 'Is old.'), skill('b', 'Is old.')];
    await publishSkills(database, await catalogOf(...old), { tenant });
    const next = await catalogOf(skill('a', 'Is new.'), skill('c', 'Is new.'));
    let transactions = 0;
    const interrupted = createSkillDatabase({
      on: () => {},
      async connect() {
        transactions += 1;
        if (transactions === 2) {
          await publishSkills(database, next, { tenant });
          await pruneVersions(database, 1, { tenant });
        }
        return pool.connect();
      },
    });
    expect(namesOf(await loadCatalog([postgresSource(interrupted, { tenant })]))).toEqual(['a', 'c']);
    await publishSkills(database, await catalogOf(...old), { tenant });
    transactions = 0;
    const { skills, diagnostics } = await loadCatalog([postgresSource(interrupted, { tenant, version: 3 })]);
    expect([skills, diagnostics.map(({ message }) => message)]).toEqual([
      [],
      ['The source failed: there is no version 3; `listVersions` returns those there are.'],
    ]);
  });

  it('lets publishers take turns, whatever isolation the login has by default', async () => {
    const { database, tenant } = connect({ options: '-c default_transaction_isolation=serializable', max: 4 });
    const catalogs = await Promise.all(['1', '2', '3', '4'].map((text) => catalogOf(skill('a', `Is ${text}.`))));
    const told = await Promise.all(catalogs.map((catalog) => publishSkills(database, catalog, { tenant })));
    expect(told.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4]);
  });

  it.each(['standard_conforming_strings', 'row_security'])('works if the login has %s off', async (setting) => {
    const { database, tenant } = connect({ options: `-c ${setting}=off` });
    await publishSkills(database, await catalogOf(skill('a', 'Books a hotel.')), { tenant });
    expect(await searchPublished(database, 'hotel', { tenant })).toEqual({ found: ['a'], reasons: [] });
  });

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('refuses a timeout of %d', (timeout) => {
    expect(() => connect({ timeout })).toThrow(
      `\`timeout\` must be a whole number of milliseconds from 1 to 2147483647, not ${timeout}.`,
    );
  });

  it('says what is missing: the tables, a role, a password', async () => {
    const { pool } = connect();
    await pool.query('create database unprepared');
    await pool.query('create role outsider login');
    const reasonOf = async (options: Parameters<typeof connect>[0]) => {
      const { diagnostics } = await loadCatalog([postgresSource(connect(options).database)]);
      return diagnostics.map(({ message }) => message);
    };
    expect(await reasonOf({ database: 'unprepared' })).toEqual([
      'The source failed: call `setUpDatabase` first (relation "skillful.tenants" does not exist).',
    ]);
    expect(await reasonOf({ user: 'outsider' })).toEqual([
      'The source failed: grant `skillful_reader` to this login, or call `setUpDatabase` again (permission denied to set role "skillful_reader").',
    ]);
    expect(await reasonOf({ user: 'nobody-here' })).toEqual([
      'The source failed: the login was refused; check user, password and TLS (role "nobody-here" does not exist).',
    ]);
    await expect(setUpDatabase(connect({ user: 'outsider', database: 'unprepared' }).database)).rejects.toThrow(
      'use a login that may create schemas and roles, and always the same one (permission denied for database unprepared)',
    );
    const other = connect({ database: 'unprepared' });
    await setUpDatabase(other.database);
    await other.pool.query('alter table skillful.bundles rename sidecar to other');
    await expect(publishSkills(other.database, await catalogOf(skill('x', 'X.')))).rejects.toThrow(
      'the tables are from another version of this package; use that, or another database (column "sidecar"',
    );
    await pool.query(`create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`);
    const latin = connect({ database: 'latin' });
    await expect(setUpDatabase(latin.database)).rejects.toThrow(
      'the database has the encoding LATIN1; create one with UTF8',
    );
    await pool.query('grant skillful_reader to outsider');
    const tenant = newTenant();
    await publishSkills(connect().database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const outsider = connect({ user: 'outsider' });
    expect(namesOf(await loadCatalog([postgresSource(outsider.database, { tenant })]))).toEqual(['a']);
    await expect(listTenants(outsider.database)).rejects.toThrow('use a login that may create schemas and roles');
    await expect(publishSkills(outsider.database, await catalogOf(skill('x', 'X.')), { tenant })).rejects.toThrow(
      'grant `skillful_publisher` to this login, or call `setUpDatabase` again (permission denied to set role "skillful_publisher")',
    );
  });

  it('says that no connection is free, that the login may only read, and that a skill was removed meanwhile', async () => {
    const { database, tenant } = connect();
    const catalog = await catalogOf(skill('a', 'Does a.'));
    const one = connect({ timeout: 200, max: 1 });
    const taken = await one.pool.connect();
    await expect(postgresSource(one.database).list()).rejects.toThrow(
      'no connection within 200 ms; check that the server runs, or use a larger pool',
    );
    taken.release();
    const full = connect({ timeout: 2000, max: 1, connectionTimeoutMillis: 100 });
    const held = await full.pool.connect();
    await expect(postgresSource(full.database).list()).rejects.toThrow(
      /^no connection was free in time; check that the server runs, or use a larger pool \(timeout exceeded/,
    );
    held.release();
    const replica = connect({ options: '-c default_transaction_read_only=on' });
    await expect(publishSkills(replica.database, catalog, { tenant })).rejects.toThrow(
      /^this login may only read here; connect to the primary, or turn off `default_transaction_read_only` \(/,
    );
    let transactions = 0;
    const { pool } = connect();
    const interrupted = createSkillDatabase({
      on: () => {},
      async connect() {
        transactions += 1;
        if (transactions === 2) await pool.query('delete from skillful.bundles where tenant = $1', [tenant]);
        return pool.connect();
      },
    });
    await expect(publishSkills(interrupted, catalog, { tenant })).rejects.toThrow(
      /^a skill was removed by `pruneVersions` or `removeTenant` meanwhile; publish again \(/,
    );
    await expect(publishSkills(database, catalog, { tenant })).resolves.toMatchObject({ version: 1, added: ['a'] });
  });

  it('answers by words if the model hangs, and says that it was the model', async () => {
    const { database, tenant } = connect({ timeout: 500 });
    await publishSkills(database, await catalogOf(skill('a', 'Books a hotel.')), { tenant });
    const hanging = () => new Promise<never>(() => {});
    const reasons = ['the embedding model did not answer within 500 ms'];
    expect(await searchPublished(database, 'hotel', { tenant, embed: hanging })).toEqual({ found: ['a'], reasons });
  });

  it('says that the server cannot search by meaning, and searches by words', async () => {
    const { database, tenant } = connect();
    const catalog = await catalogOf(skill('a', 'Books a hotel.'));
    const embed = async (texts: readonly string[]) => texts.map(() => [1]);
    const missing =
      '`embed` needs the extension `vector`, in a schema that both roles may use. Install pgvector, run `create extension vector` (for PGlite, pass it as an extension), and call `setUpDatabase` again.';
    await expect(publishSkills(database, catalog, { tenant, embed })).rejects.toThrow(missing);
    await publishSkills(database, catalog, { tenant });
    expect(await searchPublished(database, 'hotel', { tenant, embed })).toEqual({ found: ['a'], reasons: [missing] });
  });
}
