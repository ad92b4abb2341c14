// Publishing: what a version is, and that it is whole or not at all.

import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalog, loadCatalog, memorySource, type SkillEntry, type SkillSource } from '@skillful/core';
import { fileSource, pluginSource } from '@skillful/core/node';
import { expect, it, onTestFinished } from 'vitest';
import { transact } from '../../src/database.ts';
import {
  createPostgresIndex,
  listVersions,
  postgresSource,
  pruneVersions,
  publishSkills,
  rollBackSkills,
} from '../../src/index.ts';
import { catalogOf, firstOf, insertSkills, namesOf, newTenant, type Open, skill, textOf } from './fixture.ts';

/** Changes what a source lists. */
const changeEntries = (source: SkillSource, change: (entry: SkillEntry) => SkillEntry): SkillSource => ({
  ...source,
  async list(options) {
    const { entries, diagnostics } = await source.list(options);
    return { diagnostics, entries: entries.map(change) };
  },
});

export function testPublishing(open: Open): void {
  it('publishes what has changed, once, and says what that was', async () => {
    const { database, query, tenant } = await open();
    const first = await catalogOf(skill('a', 'Does a.'), skill('b', 'Does b.'));
    const next = await catalogOf(skill('b', 'Does b better.'), skill('c', 'Does c.'));
    const publications = [first, first, next, next];
    const told = [];
    for (const catalog of publications) told.push(await publishSkills(database, catalog, { tenant }));
    const nothing = { added: [], changed: [], removed: [] };
    expect(told).toEqual([
      { version: 1, ...nothing, added: ['a', 'b'] },
      { version: 1, ...nothing },
      { version: 2, added: ['c'], changed: ['b'], removed: ['a'] },
      { version: 2, ...nothing },
    ]);
    const stored = await query('select count(*)::int as bundles from skillful.bundles where tenant = $1', [tenant]);
    expect(stored).toEqual([{ bundles: 4 }]);
  });

  it('reads earlier versions, and goes back to one by a new version', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('a', 'Old.', 'Old body.')), { tenant });
    const old = await loadCatalog([postgresSource(database, { tenant })]);
    await publishSkills(database, await catalogOf(skill('a', 'New.'), skill('b', 'Does b.')), { tenant });
    const describe = async (version?: number) => {
      const { skills } = await loadCatalog([postgresSource(database, { tenant, version })]);
      return skills.map(({ description }) => description);
    };
    expect([await describe(1), await describe(2), await describe()]).toEqual([
      ['Old.'],
      ['New.', 'Does b.'],
      ['New.', 'Does b.'],
    ]);
    const listed = firstOf(old);
    // A catalog that is in use keeps the bodies that belong to its descriptions.
    expect(textOf(await listed.source.readFile(listed, 'SKILL.md'))).toContain('Old body.');

    expect(await rollBackSkills(database, 1, { tenant })).toEqual({
      version: 3,
      added: [],
      changed: ['a'],
      removed: ['b'],
    });
    expect(await describe()).toEqual(['Old.']);
    const versions = await listVersions(database, { tenant });
    expect(versions.map(({ version, skills }) => [version, skills])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ]);
    // The database has no integers as large as some of these.
    for (const unknown of [9, 2 ** 31, 2 ** 53, Number.MAX_VALUE]) {
      await expect(rollBackSkills(database, unknown, { tenant })).rejects.toMatchObject({
        code: 'source-failed',
        message: `there is no version ${unknown}; \`listVersions\` returns those there are`,
      });
      const { diagnostics } = await loadCatalog([postgresSource(database, { tenant, version: unknown })]);
      expect(diagnostics.map(({ message }) => message)).toEqual([
        `The source failed: there is no version ${unknown}; \`listVersions\` returns those there are.`,
      ]);
    }
    expect(await pruneVersions(database, Number.MAX_VALUE, { tenant })).toEqual({ versions: 0, skills: 0 });
  });

  it('removes old versions, and only the skills that no other version has', async () => {
    const { database, query } = await open();
    const [tenant, other] = [newTenant(), newTenant()];
    const old = await catalogOf(skill('a', 'Is old.'), { 'a/x.txt': 'x' }, skill('b', 'Stays.'));
    const newer = await catalogOf(skill('a', 'Is newer.'), skill('b', 'Stays.'));
    const last = await catalogOf(skill('a', 'Is last.'), skill('b', 'Stays.'));
    for (const catalog of [old, newer, old, last]) await publishSkills(database, catalog, { tenant });
    for (const catalog of [old, last]) await publishSkills(database, catalog, { tenant: other });

    expect(await pruneVersions(database, 2, { tenant })).toEqual({ versions: 2, skills: 1 });
    expect(await pruneVersions(database, 2, { tenant })).toEqual({ versions: 0, skills: 0 });
    const describe = async (version?: number) => {
      const { skills } = await loadCatalog([postgresSource(database, { tenant, version })]);
      return skills.map(({ description }) => description);
    };
    expect([await describe(2), await describe(3), await describe(4)]).toEqual([
      [],
      ['Is old.', 'Stays.'],
      ['Is last.', 'Stays.'],
    ]);
    expect(await pruneVersions(database, 1, { tenant })).toEqual({ versions: 1, skills: 1 });
    const left =
      'select (select count(*) from skillful.bundles where tenant = $1)::int as bundles,' +
      ' (select count(*) from skillful.files where tenant = $1)::int as files';
    expect([...(await query(left, [tenant])), ...(await query(left, [other]))]).toEqual([
      { bundles: 2, files: 2 },
      { bundles: 3, files: 4 },
    ]);
    await expect(pruneVersions(database, 0, { tenant })).rejects.toMatchObject({ code: 'options-invalid' });
    await expect(rollBackSkills(database, Number.POSITIVE_INFINITY, { tenant })).rejects.toThrow(
      '`version` must be a whole number from 1, not Infinity.',
    );
  });

  it('removes what a failed publication has sent, but not what a running one may still need', async () => {
    const { database, query, tenant } = await open();
    const many = Array.from({ length: 64 }, (_, at) => skill(`a-${at}`, `Does ${at}.`));
    const memory = memorySource(Object.assign({}, ...many, skill('z', 'Cannot be read.')));
    const readFile: SkillSource['readFile'] = (of, ...rest) =>
      of.directory === 'z' ? Promise.reject(new Error('unreadable')) : memory.readFile(of, ...rest);
    const catalog = await loadCatalog([{ ...memory, readFile }]);
    await expect(publishSkills(database, catalog, { tenant })).rejects.toThrow('Nothing was published');
    await publishSkills(database, await catalogOf(skill('b', 'Does b.')), { tenant });
    expect(await pruneVersions(database, 1, { tenant })).toEqual({ versions: 0, skills: 0 });
    await query("update skillful.bundles set sent = sent - interval '25 hours' where tenant = $1", [tenant]);
    expect(await pruneVersions(database, 1, { tenant })).toEqual({ versions: 0, skills: 64 });
    expect(namesOf(await loadCatalog([postgresSource(database, { tenant })]))).toEqual(['b']);
  });

  it.each([Number.NaN, -1, 1.5, '5', null])('refuses %j as an option that is a number', async (given) => {
    const { database, tenant } = await open();
    const catalog = await catalogOf(skill('a', 'Does a.'));
    await publishSkills(database, catalog, { tenant });
    const source = postgresSource(database, { tenant });
    const found = firstOf(await loadCatalog([source]));
    const value = given as number;
    const uses: Readonly<Record<string, () => unknown>> = {
      version: () => postgresSource(database, { tenant, version: value }),
      'version to go back to': () => rollBackSkills(database, value, { tenant }),
      keep: () => pruneVersions(database, value, { tenant }),
      maxFileBytes: () => publishSkills(database, catalog, { tenant, maxFileBytes: value }),
      expected: () => publishSkills(database, catalog, { tenant, expected: value }),
      maxBytes: () => source.readFile(found, 'SKILL.md', { maxBytes: value }),
      length: () => source.readFile(found, 'SKILL.md', { length: value }),
      limit: () => createPostgresIndex(database, [found], { tenant }).search('a', { limit: value }),
    };
    for (const [use, call] of Object.entries(uses)) {
      const message = expect.stringContaining(`\`${use.split(' ')[0]}\` must be a whole number from`);
      await expect((async () => call())(), use).rejects.toMatchObject({ code: 'options-invalid', message });
    }
  });

  it('refuses a misspelt option, which could mean the skills of all tenants', async () => {
    const { database } = await open();
    const catalog = await catalogOf(skill('a', 'Does a.'));
    const options: object = { tennant: newTenant() };
    const uses: readonly (() => unknown)[] = [
      () => postgresSource(database, options),
      () => createPostgresIndex(database, [], options),
      () => publishSkills(database, catalog, options),
      () => listVersions(database, options),
      () => rollBackSkills(database, 1, options),
      () => pruneVersions(database, 1, options),
    ];
    const message = expect.stringContaining('`tennant`');
    for (const call of uses)
      await expect((async () => call())()).rejects.toMatchObject({ code: 'options-invalid', message });
  });

  it('keeps the previous version if any part of a publication fails', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const files = { ...skill('b', 'Does b.'), 'b/x.txt': 'x', ...skill('a', 'Changed.') };
    const good = memorySource(files);
    const broken: SkillSource = {
      ...good,
      readFile: (entry, path, options) =>
        path === 'x.txt' ? Promise.reject(new Error('disk on fire')) : good.readFile(entry, path, options),
    };
    const failing: SkillSource = { ...good, id: 'gone', list: () => Promise.reject(new Error('no network')) };
    const publish = async (source: SkillSource) => publishSkills(database, await loadCatalog([source]), { tenant });
    await expect(publish(broken)).rejects.toThrow('Nothing was published, because `b` cannot be read: disk on fire');
    await expect(publish(failing)).rejects.toThrow('Nothing was published from `gone`. The source failed: no network.');
    const kept = await loadCatalog([failing], { previous: await loadCatalog([{ ...good, id: 'gone' }]) });
    expect(namesOf(kept)).toEqual(['a', 'b']);
    await expect(publishSkills(database, kept, { tenant })).rejects.toThrow('Nothing was published from `gone`.');
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    expect(skills.map(({ description }) => description)).toEqual(['Does a.']);
  });

  it('publishes a file again if only its content has changed', async () => {
    const { database, tenant } = await open();
    const told = [];
    for (const content of ['old', 'new']) {
      const catalog = await catalogOf({ ...skill('a', 'Does a.'), 'a/b.md': content });
      told.push((await publishSkills(database, catalog, { tenant })).changed);
    }
    const found = firstOf(await loadCatalog([postgresSource(database, { tenant })]));
    expect([told, textOf(await found.source.readFile(found, 'b.md'))]).toEqual([[[], ['a']], 'new']);
  });

  it('lists more skills than one statement reads', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.')), { tenant });
    await transact({ database, role: 'skillful_publisher', tenant }, (query) =>
      insertSkills(query, tenant, 10_001, 15_001),
    );
    const { entries } = await postgresSource(database, { tenant }).list();
    const numbers = Array.from({ length: 5_001 }, (_, at) => `row-${10_001 + at}`);
    expect(entries.map(({ directory }) => directory)).toEqual(['a', ...numbers]);
  });

  it('finds a skill by its new purpose if it was edited while it was published', async () => {
    const { database, tenant } = await open();
    const [old, edited] = [skill('a', 'Peels pears.'), skill('a', 'Bakes bread.')].map((files) => memorySource(files));
    if (old === undefined || edited === undefined) throw new Error('no source');
    for (const source of [{ ...old, readFile: edited.readFile }, edited]) {
      await publishSkills(database, await loadCatalog([source]), { tenant });
    }
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const found = await createPostgresIndex(database, skills, { tenant }).search('bread');
    expect(found.map(({ skill: { description } }) => description)).toEqual(['Bakes bread.']);
  });

  it('stops when it is told to, even if a source hangs', async () => {
    const { database } = await open();
    const memory = memorySource(skill('a', 'Does a.'));
    const hanging: SkillSource = { ...memory, readFile: () => new Promise(() => {}) };
    const stop = new AbortController();
    const publishing = publishSkills(database, await loadCatalog([hanging]), {
      tenant: newTenant(),
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(new Error('Enough.')), 20);
    await expect(publishing).rejects.toThrow('Enough.');
  });

  it('publishes what is not in the `SKILL.md`: given names, plugins, sidecars, refused and too large files', async () => {
    const { database, tenant } = await open();
    const memory = memorySource({
      ...skill('a', 'Does a.'),
      'a/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
      'a/large.bin': new Uint8Array(2000),
      'a/\0': 'refused',
    });
    const named = changeEntries(memory, (entry) => ({ ...entry, name: 'acme/a', plugin: 'acme' }));
    await publishSkills(database, await loadCatalog([named]), { tenant, maxFileBytes: 1000 });
    const catalog = await loadCatalog([postgresSource(database, { tenant })]);
    const found = firstOf(catalog);
    expect([found.name, found.plugin, found.properties.disableModelInvocation, catalog.diagnostics]).toEqual([
      'acme/a',
      'acme',
      true,
      [],
    ]);
    const { files, refused } = await found.source.listFiles(found);
    expect([files.map(({ path }) => path), refused]).toEqual([['agents/openai.yaml', 'large.bin'], ['\uFFFD']]);
    await expect(found.source.readFile(found, 'large.bin')).rejects.toThrow(
      '`large.bin` of `acme/a` has 2000 bytes; it was too large to be published.',
    );
    await expect(found.source.readFile(found, 'none.md')).rejects.toThrow('`acme/a` has no file `none.md`.');
  });

  it('keeps a skill from models if the file that says so is not published', async () => {
    const { database, tenant } = await open();
    const files = {
      ...skill('large', 'Has a large sidecar.'),
      'large/agents/openai.yaml': `# ${'x'.repeat(2000)}\npolicy:\n  allow_implicit_invocation: false\n`,
      ...skill('unread', 'Has a sidecar that cannot be read.'),
    };
    const memory = memorySource(files);
    const withUnread = changeEntries(memory, (entry) =>
      entry.directory === 'unread' ? { ...entry, sidecar: 'it is a broken link' } : entry,
    );
    const hidden = async () => {
      const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
      return skills.map(({ name, properties }) => [name, properties.disableModelInvocation]);
    };
    await publishSkills(database, await loadCatalog([memory]), { tenant, maxFileBytes: 1000 });
    expect(await hidden()).toEqual([
      ['large', true],
      ['unread', false],
    ]);
    await publishSkills(database, await loadCatalog([withUnread]), { tenant, maxFileBytes: 1000 });
    expect(await hidden()).toEqual([
      ['large', true],
      ['unread', true],
    ]);
  });

  it('publishes the bytes that a source returns, also from the middle of a larger buffer, and that a list is not whole', async () => {
    const { database, tenant } = await open();
    const memory = memorySource({ ...skill('a', 'Does a.'), 'a/b.md': 'bytes' });
    const source: SkillSource = {
      ...memory,
      listFiles: async (...given) => ({ ...(await memory.listFiles(...given)), truncated: true }),
      readFile: async (...given) => Buffer.concat([Buffer.from('<'), await memory.readFile(...given)]).subarray(1),
    };
    await publishSkills(database, await loadCatalog([source]), { tenant });
    const found = firstOf(await loadCatalog([postgresSource(database, { tenant })]));
    expect(await found.source.listFiles(found)).toEqual({ files: [{ path: 'b.md', bytes: 5 }], truncated: true });
    expect(textOf(await found.source.readFile(found, 'b.md'))).toBe('bytes');
  });

  it('publishes all other files if the database cannot store the path of one, and says so', async () => {
    const { database, tenant } = await open();
    // Random, because the database compresses paths.
    const long = Array.from({ length: 100 }, () => randomUUID()).join('/');
    // Fewer characters than the limit in bytes.
    const wide = Array.from({ length: 1_400 }, () => String.fromCharCode(0x4e00 + randomInt(20_000))).join('');
    const files = { ...skill('a', 'Does a.'), 'a/b.md': 'b', [`a/${long}`]: 'x', [`a/${wide}`]: 'x' };
    await publishSkills(database, await catalogOf(files), { tenant });
    const found = firstOf(await loadCatalog([postgresSource(database, { tenant })]));
    expect(await found.source.listFiles(found)).toEqual({
      files: [{ path: 'b.md', bytes: 1 }],
      truncated: false,
      refused: [long, wide],
    });
  });

  it('stores what a source says of a plugin, even if PostgreSQL has no such characters', async () => {
    const { database, tenant } = await open();
    const memory = memorySource(skill('a', 'Does a.'));
    const source = changeEntries(memory, (entry) => ({ ...entry, plugin: 'acme\0\ud800' }));
    await publishSkills(database, await loadCatalog([source]), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    expect(skills.map(({ name, plugin }) => [name, plugin])).toEqual([['a', 'acme\uFFFD\uFFFD']]);
  });

  it('lets two publishers of a tenant take turns', async () => {
    const { database, tenant } = await open();
    const catalogs = await Promise.all(['1', '2', '3', '4'].map((text) => catalogOf(skill('a', `Is ${text}.`))));
    const told = await Promise.all(catalogs.map((catalog: Catalog) => publishSkills(database, catalog, { tenant })));
    expect(told.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4]);
    expect(namesOf(await loadCatalog([postgresSource(database, { tenant })]))).toEqual(['a']);
  });

  it('lets one of several change the same version if they say which they expect', async () => {
    const { database, tenant } = await open();
    const published = postgresSource(database, { tenant });
    const add = async (name: string, expected: number) => {
      const own = memorySource(skill(name, `Does ${name}.`), { id: 'own' });
      const sources = expected === 0 ? [own] : [own, published];
      return publishSkills(database, await loadCatalog(sources), { tenant, expected });
    };
    expect((await add('a', 0)).version).toBe(1);
    const told = await Promise.allSettled(['b', 'c', 'd'].map((name) => add(name, 1)));
    expect(told.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const message =
      'Nothing was published, because version 2 is the current one, not 1. Load what is current, and make the change again.';
    await expect(add('e', 1)).rejects.toMatchObject({ code: 'skill-protected', message });
    await expect(add('e', 0)).rejects.toMatchObject({ code: 'skill-protected' });
    expect((await add('e', 2)).added).toEqual(['e']);
    expect(namesOf(await loadCatalog([published]))).toHaveLength(3);
  });

  it('lets several publish the same skills at the same moment', async () => {
    const { database, tenant } = await open();
    const catalog = await catalogOf(...['a', 'b', 'c'].map((name) => skill(name, 'Is the same.')));
    const told = await Promise.all([1, 2, 3, 4].map(() => publishSkills(database, catalog, { tenant })));
    expect(told.map(({ version, added }) => [version, added.length]).sort()).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 3],
    ]);
  });

  it('refuses a catalog that has no skills by accident, because it would remove all skills', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const missing = join(tmpdir(), randomUUID());
    // As an unmounted volume.
    const empty = await mkdtemp(join(tmpdir(), 'skillful-'));
    onTestFinished(() => rm(empty, { recursive: true }));
    // As a preset whose directories are all missing.
    const preset = { ...memorySource({}), searched: [missing] };
    const noneIn = (directory: string) => `\`${directory}\`. No skills were found in \`${directory}\`.`;
    for (const [source, why] of [
      [fileSource(missing), `\`${missing}\`. The directory does not exist.`],
      [fileSource(empty), noneIn(empty)],
      [fileSource(empty, { id: empty }), noneIn(empty)],
      [pluginSource(missing), noneIn(missing)],
      [preset, noneIn(missing)],
      [
        memorySource(skill('a', 'Does a.'), { trusted: false }),
        '`memory`. Everything in `memory` was skipped because it is not trusted.',
      ],
      [
        postgresSource(database, { tenant: 'nroth' }),
        '`postgres:nroth`. Nothing has been published for `postgres:nroth`.',
      ],
      [
        memorySource({ 'a/SKILL.md': 'Does a.' }),
        '`a/SKILL.md`. The file does not begin with a line `---`, so it has no frontmatter.',
      ],
    ] as const) {
      await expect(publishSkills(database, await loadCatalog([source]), { tenant })).rejects.toMatchObject({
        code: 'source-failed',
        message: `Nothing was published from ${why} To remove all skills, publish a catalog of \`memorySource({})\`.`,
      });
    }
    // Nobody means to remove all skills because a database does not answer.
    const failing = { ...memorySource({}), list: () => Promise.reject(new Error('Gone.')) };
    await expect(publishSkills(database, await loadCatalog([failing]), { tenant })).rejects.toThrow(/Gone\.$/);
    const mixed = await loadCatalog([memorySource({}), fileSource(empty)]);
    await expect(publishSkills(database, mixed, { tenant })).rejects.toMatchObject({ code: 'source-failed' });
    // As `packageSources()` if nothing is installed.
    await expect(publishSkills(database, await loadCatalog([]), { tenant })).rejects.toMatchObject({
      code: 'source-failed',
      message:
        'Nothing was published, because the catalog has no skills. To remove all skills, publish a catalog of `memorySource({})`.',
    });
    const { removed } = await publishSkills(database, await catalogOf(), { tenant });
    expect(removed).toEqual(['a']);
  });

  it('says that nothing was ever published', async () => {
    const { database } = await open();
    const { skills, diagnostics } = await loadCatalog([postgresSource(database, { tenant: 'nroth' })]);
    expect([skills, diagnostics.map(({ code, message }) => [code, message])]).toEqual([
      [],
      [['source-unpublished', 'Nothing has been published for `postgres:nroth`.']],
    ]);
  });
}
