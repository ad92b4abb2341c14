// Tenants: none sees, changes or hears of the skills of another one, whatever it asks for.

import { loadCatalog, watchCatalog } from '@skillful/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { channelOf, transact } from '../../src/database.ts';
import {
  createPostgresIndex,
  listTenants,
  postgresSource,
  pruneVersions,
  publishSkills,
  removeTenant,
  rollBackSkills,
} from '../../src/index.ts';
import { catalogOf, firstOf, namesOf, newTenant, type Open, skill } from './fixture.ts';

export function testTenants(open: Open): void {
  it('shows a tenant its own skills and, as another source, those that all share', async () => {
    const { database } = await open();
    const [north, south] = [newTenant(), newTenant()];
    await publishSkills(database, await catalogOf(skill('shared', 'For everyone.')));
    await publishSkills(database, await catalogOf(skill('northern', 'For the north.')), { tenant: north });
    await publishSkills(database, await catalogOf(skill('southern', 'For the south.')), { tenant: south });
    const load = (tenant: string) => loadCatalog([postgresSource(database, { tenant }), postgresSource(database)]);
    expect([namesOf(await load(north)), namesOf(await load(south))]).toEqual([
      ['northern', 'shared'],
      ['shared', 'southern'],
    ]);
    const { skills } = await load(north);
    const index = createPostgresIndex(database, skills, { tenant: north });
    const found = await index.search('everyone north south');
    expect(found.map(({ skill: { name } }) => name).sort()).toEqual(['northern', 'shared']);
  });

  it('finds a skill once that a tenant and all tenants have', async () => {
    const { database, tenant } = await open();
    const catalog = await catalogOf(skill('shared', 'For everyone.'), skill('second', 'For everyone, too.'));
    await publishSkills(database, catalog);
    await publishSkills(database, catalog, { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant }), postgresSource(database)]);
    const index = createPostgresIndex(database, skills, { tenant });
    const found = await index.search('shared for everyone', { limit: 2 });
    expect(found.map(({ skill: { name } }) => name)).toEqual(['shared', 'second']);
  });

  it('does not find a skill of a tenant by the words of one that all share and that has its name', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('sort', 'Sorts pears.')));
    await publishSkills(database, await catalogOf(skill('sort', 'Sorts nuts.')), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant }), postgresSource(database)]);
    const index = createPostgresIndex(database, skills, { tenant });
    expect([await index.search('pears'), (await index.search('nuts')).length]).toEqual([[], 1]);
  });

  it('gives a hostile tenant nothing, although it knows digests and directories of another one', async () => {
    const { database } = await open();
    const [victim, hostile] = [newTenant(), newTenant()];
    // A name that is never looked up as a word.
    await publishSkills(database, await catalogOf({ ...skill('about', 'A secret plan.'), 'about/plan.txt': 'x' }), {
      tenant: victim,
    });
    const stolen = firstOf(await loadCatalog([postgresSource(database, { tenant: victim })]));
    const source = postgresSource(database, { tenant: hostile });
    for (const { directory, location, identity = '' } of [stolen]) {
      for (const skill of [
        { directory, location, identity },
        { directory, location },
      ]) {
        await expect(source.readFile(skill, 'plan.txt')).rejects.toMatchObject({ code: 'skill-unknown' });
        await expect(source.listFiles(skill)).rejects.toMatchObject({ code: 'skill-unknown' });
      }
    }
    const index = createPostgresIndex(database, [stolen], { tenant: hostile });
    for (const query of ['secret plan', 'about']) expect(await index.search(query)).toEqual([]);
    for (const name of [`${victim}' or '1'='1`, `${victim}%`, victim.toUpperCase(), ` ${victim}`]) {
      const { entries } = await postgresSource(database, { tenant: name }).list();
      expect(entries).toEqual([]);
    }
  });

  it('confines even statements that name another tenant: row-level security decides, not the `where`', async () => {
    const { database } = await open();
    const [victim, hostile] = [newTenant(), newTenant()];
    await publishSkills(database, await catalogOf(skill('secret', 'A plan.')), { tenant: victim });
    await publishSkills(database, await catalogOf(skill('own', 'My own.')), { tenant: hostile });
    const session = { role: 'skillful_publisher', tenant: hostile } as const;
    const run = (text: string, values: readonly unknown[] = []) =>
      transact({ database, ...session }, (query) => query(text, values));
    for (const table of ['tenants', 'versions', 'bundles', 'files', 'skills']) {
      const rows = await run(`select distinct tenant from skillful.${table} where tenant <> ''`);
      expect([table, rows]).toEqual([table, [{ tenant: hostile }]]);
      expect(await run(`delete from skillful.${table} where tenant = $1 returning tenant`, [victim])).toEqual([]);
      // What all share is read by all, but changed by nobody who has a tenant.
      expect(await run(`delete from skillful.${table} where tenant = '' returning tenant`)).toEqual([]);
    }
    expect(await run(`update skillful.tenants set version = 99 where tenant = $1 returning version`, [victim])).toEqual(
      [],
    );
    await expect(run('insert into skillful.versions values ($1, 99, now(), 0)', [victim])).rejects.toThrow(
      'row-level security',
    );
    await expect(run('update skillful.tenants set tenant = $1', [victim])).rejects.toThrow('row-level security');
    const reader = { role: 'skillful_reader', tenant: hostile } as const;
    await expect(transact({ database, ...reader }, (query) => query('delete from skillful.skills'))).rejects.toThrow(
      'permission denied',
    );
    expect(namesOf(await loadCatalog([postgresSource(database, { tenant: victim })]))).toEqual(['secret']);
  });

  it('shows nothing to a role without a tenant, and no tenant by the name of its channel', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('secret', 'A plan.')), { tenant });
    const rows = await transact({ database, role: 'skillful_reader', tenant: '' }, (query) =>
      query("select tenant from skillful.skills where tenant <> ''"),
    );
    expect([rows, channelOf(tenant).includes(tenant)]).toEqual([[], false]);
  });

  it('leaves neither role nor tenant on a connection, also after a failure', async () => {
    const { database, query, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.')), { tenant });
    await expect(transact({ database, role: 'skillful_reader', tenant }, (run) => run('select 1 / 0'))).rejects.toThrow(
      'division by zero',
    );
    // The pool of the tests gives the same connections to these statements.
    for (let round = 0; round < 8; round += 1) {
      expect(
        await query(
          "select coalesce(current_setting('skillful.tenant', true), '') as tenant, current_user::text as role",
        ),
      ).toEqual([{ tenant: '', role: 'postgres' }]);
    }
  });

  it.each(['', '\0', '\ud800', 'x'.repeat(257)])('refuses %j as the name of a tenant', async (tenant) => {
    const { database } = await open();
    const message = '`tenant` must be a text of 1 to 256 valid characters.';
    expect(() => postgresSource(database, { tenant })).toThrow(message);
    await expect(publishSkills(database, await catalogOf(), { tenant })).rejects.toThrow(message);
  });

  it('changes nothing for all tenants if a tenant is given as undefined, such as from a user without one', async () => {
    const { database } = await open();
    const options = { tenant: undefined };
    for (const change of [
      async () => publishSkills(database, await catalogOf(skill('a', 'A secret.')), options),
      () => rollBackSkills(database, 1, options),
      () => pruneVersions(database, 1, options),
      () => removeTenant(database, undefined as unknown as string),
    ])
      await expect(change()).rejects.toThrow('`tenant` is undefined. Name a tenant, or leave it out');
  });

  it('removes a tenant with everything that it has, and nothing of others, and tells processes', async () => {
    const { database, query } = await open();
    const [tenant, other] = [newTenant(), newTenant()];
    const tables = ['tenants', 'versions', 'skills', 'bundles', 'files'];
    const count = async (name: string) => {
      const counts = tables.map(
        (table) => `(select count(*) from skillful.${table} where tenant = $1)::int as ${table}`,
      );
      const [row] = await query(`select ${counts.join(', ')}`, [name]);
      return Object.values(Object(row));
    };
    for (const name of [tenant, other])
      for (const text of ['Old.', 'New.'])
        await publishSkills(database, await catalogOf(skill('a', text)), { tenant: name });
    const changes: unknown[] = [];
    const watch = await watchCatalog([postgresSource(database, { tenant })], {
      onChange: (_, { changed, removed }) => void changes.push([changed.length, removed.length]),
    });
    onTestFinished(() => watch.close());
    await publishSkills(database, await catalogOf(skill('a', 'Newest.')), { tenant });
    await vi.waitFor(() => expect(changes).toEqual([[1, 0]]), 5_000);
    await removeTenant(database, tenant);
    expect([await count(tenant), await count(other)]).toEqual([
      [0, 0, 0, 0, 0],
      [1, 2, 2, 2, 2],
    ]);
    await vi.waitFor(() => expect(changes.slice(1)).toEqual([[0, 1]]), 5_000);
    const { diagnostics } = await loadCatalog([postgresSource(database, { tenant })]);
    expect(diagnostics.map(({ code }) => code)).toContain('source-unpublished');
    expect((await publishSkills(database, await catalogOf(skill('a', 'Again.')), { tenant })).version).toBe(1);
  });

  it('lists the tenants, and the current version of each', async () => {
    const { database, tenant } = await open();
    const start = Date.now();
    for (const text of ['Old.', 'New.']) await publishSkills(database, await catalogOf(skill('a', text)), { tenant });
    await publishSkills(database, await catalogOf(skill('shared', 'For all.')));
    const tenants = await listTenants(database);
    expect(tenants[0]).toMatchObject({ tenant: undefined });
    const own = tenants.filter((each) => each.tenant === tenant);
    expect(own).toEqual([{ tenant, version: 2, skills: 1, published: expect.any(Date) }]);
    expect(own[0]?.published.getTime()).toBeGreaterThan(start - 60_000);
  });
}
