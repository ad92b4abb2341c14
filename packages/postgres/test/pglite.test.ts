// The whole package on PGlite.

import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector as vectorExtension } from '@electric-sql/pglite-pgvector';
import { loadCatalog } from '@skillful/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { transact } from '../src/database.ts';
import { createSkillDatabase, postgresSource, publishSkills, setUpDatabase } from '../src/index.ts';
import { catalogOf, newTenant, type Opened, searchPublished, skill } from './suites/fixture.ts';
import { testMeaning } from './suites/meaning.ts';
import { testDatabase } from './suites/suites.ts';

let opened: Opened;
let pglite: PGlite | undefined;
let empty: Blob | undefined;

/** Opens a new database. To copy an empty one takes a fifth of the time that PGlite needs to create one. */
async function open(): Promise<PGlite> {
  const extensions = { vector: vectorExtension };
  if (empty !== undefined) return await PGlite.create({ extensions, loadDataDir: empty });
  const created = await PGlite.create({ extensions });
  empty = await created.dumpDataDir('none');
  return created;
}

beforeAll(async () => {
  const created = await open();
  pglite = created;
  const database = createSkillDatabase(created);
  // Setting up again changes nothing.
  for (let round = 0; round < 2; round += 1) await setUpDatabase(database);
  opened = { database, query: async (text, values) => (await created.query(text, values)).rows };
  // Usually seconds; on a busy machine, PGlite was once seen to block for minutes while it started.
}, 300_000);

afterAll(() => pglite?.close());

testDatabase('PGlite', async () => ({ ...opened, tenant: newTenant() }));

it('changes nothing if it has to wait for others too long, and may itself take longer', async () => {
  if (pglite === undefined) throw new Error('no database');
  const database = createSkillDatabase(pglite, { timeout: 50 });
  const publish = (tenant: string, pause: number) =>
    transact({ database, role: 'skillful_publisher', tenant }, async (query) => {
      await setTimeout(pause);
      await query('insert into skillful.tenants values ($1, 1)', [tenant]);
    });
  const [slow, late] = [newTenant(), newTenant()];
  const [first, second] = await Promise.allSettled([publish(slow, 200), publish(late, 0)]);
  expect([first, second]).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: expect.stringContaining('did not answer within 50 ms') } },
  ]);
  const stored = await opened.query('select tenant from skillful.tenants where tenant in ($1, $2)', [slow, late]);
  expect(stored).toEqual([{ tenant: slow }]);
});

// The server of Debian has no `pgvector`.
describe('search by meaning', () => testMeaning(async () => ({ ...opened, tenant: newTenant() })));

describe('search by meaning, with the extension in a schema of its own', () => {
  let apart: Opened;
  let created: PGlite;

  beforeAll(async () => {
    created = await open();
    await created.exec('create schema "Extensions"; create extension vector schema "Extensions"');
    const database = createSkillDatabase(created);
    await setUpDatabase(database);
    apart = { database, query: async (text, values) => (await created.query(text, values)).rows };
  }, 300_000);

  afterAll(() => created.close());

  testMeaning(async () => ({ ...apart, tenant: newTenant() }));
});

it('never calls functions and operators that others have created in the schema of the extension', async () => {
  const created = await open();
  onTestFinished(() => created.close());
  // Each fits better than the function of PostgreSQL with this name.
  const planted = [
    ['concat', 'aclitem[]'],
    ['obj_description', 'regnamespace, name'],
    ['has_schema_privilege', 'name, name, text'],
    ['format', 'text, name'],
    ['pg_advisory_xact_lock', 'integer'],
    ['pg_advisory_xact_lock_shared', 'integer'],
    ['cardinality', 'text[]'],
    ['unnest', 'double precision[]'],
    ['subtract', 'integer, double precision'],
  ].map(
    ([name, parameters]) =>
      `create function public."${name}"(${parameters}) returns text language plpgsql as $$ begin raise 'planted'; end $$`,
  );
  await created.exec(
    `grant create on schema public to public; create role tenant; set role tenant; ${planted.join('; ')};
    create operator public.- (function = public.subtract, leftarg = integer, rightarg = double precision); reset role`,
  );
  const database = createSkillDatabase(created);
  for (let round = 0; round < 2; round += 1) await setUpDatabase(database);
  const embed = async (texts: readonly string[]) => texts.map(() => [1, 2]);
  await publishSkills(database, await catalogOf(skill('a', 'Writes invoices.')), { embed });
  expect((await loadCatalog([postgresSource(database)])).diagnostics).toEqual([]);
  expect(await searchPublished(database, 'invoices', { embed })).toEqual({ found: ['a'], reasons: [] });
});

describe('set up by a login that is no superuser', () => {
  async function openAsOwner(...statements: readonly string[]) {
    const created = await open();
    onTestFinished(() => created.close());
    await created.exec('create role owner createrole; grant create on database postgres to owner');
    for (const statement of statements) await created.exec(statement);
    await created.exec('set role owner');
    const database = createSkillDatabase(created);
    await setUpDatabase(database);
    const hasVectors = async () => {
      const [row] = (await created.query("select to_regclass('skillful.vectors') is not null as found")).rows;
      return row;
    };
    return { created, database, hasVectors };
  }

  it('has no vectors if the server refuses the extension, and has them once it is there', async () => {
    const { created, database, hasVectors } = await openAsOwner();
    expect(await hasVectors()).toEqual({ found: false });
    await created.exec('reset role; create extension vector; set role owner');
    await setUpDatabase(database);
    expect(await hasVectors()).toEqual({ found: true });
  });

  it('has no vectors if the login may not use the schema of the extension', async () => {
    const { hasVectors } = await openAsOwner('create schema closed', 'create extension vector schema closed');
    expect(await hasVectors()).toEqual({ found: false });
  });

  it('says that there are no vectors if only the roles may not use that schema', async () => {
    const { database, hasVectors } = await openAsOwner(
      'create schema closed; create extension vector schema closed; grant usage on schema closed to owner',
    );
    expect(await hasVectors()).toEqual({ found: true });
    const embed = async () => [[1, 2]];
    await publishSkills(database, await catalogOf(skill('a', 'Writes invoices.')));
    const reasons = [expect.stringContaining('in a schema that both roles may use')];
    expect(await searchPublished(database, 'invoices', { embed })).toEqual({ found: ['a'], reasons });
  });
});
