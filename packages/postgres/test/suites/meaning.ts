// Search by meaning, with a model of our own that knows two meanings.

import { createToolkit, type Embed, loadCatalog, type SkillEvent } from '@skillful/core';
import { expect, it, vi } from 'vitest';
import { transact } from '../../src/database.ts';
import { createPostgresIndex, postgresSource, publishSkills, rollBackSkills } from '../../src/index.ts';
import { catalogOf, insertSkills, newTenant, type Open, skill } from './fixture.ts';

const money = /invoice|bill|pay/i;
const travel = /hotel|flight|trip/i;

/** How much a text is about money, and how much about travel. */
const embed: Embed = async (texts) => texts.map((text) => [money.test(text) ? 1 : 0.1, travel.test(text) ? 1 : 0.1]);

export function testMeaning(open: Open): void {
  const library = [
    skill('invoices', 'Writes invoices.'),
    skill('hotels', 'Books a hotel.'),
    skill('notes', 'Takes notes of a trip.'),
  ];

  async function createIndex(query: Embed, skills = library) {
    const { database, tenant } = await open();
    const spy = vi.fn(embed);
    for (let round = 0; round < 2; round += 1) {
      await publishSkills(database, await catalogOf(...skills), { tenant, embed: spy });
    }
    const catalog = await loadCatalog([postgresSource(database, { tenant })]);
    const problems: string[] = [];
    const onFailure = (reason: string) => problems.push(reason);
    const index = createPostgresIndex(database, catalog.skills, { tenant, embed: query });
    const search = async (text: string, limit = 2) =>
      (await index.search(text, { limit, onFailure })).map(({ skill: { name }, band, words }) => [
        name,
        band,
        ...words,
      ]);
    const embedded = spy.mock.calls.flatMap(([texts, { kind }]) => (kind === 'skills' ? [texts] : []));
    return { database, tenant, catalog, index, search, problems, embedded };
  }

  it('finds what means the same in other words, and computes each vector once', async () => {
    const { search, embedded } = await createIndex(embed);
    expect(embedded).toEqual([
      ['hotels: Books a hotel.', 'invoices: Writes invoices.', 'notes: Takes notes of a trip.'],
    ]);
    expect(await search('pay a bill')).toEqual([
      ['invoices', 'weak'],
      ['hotels', 'none'],
    ]);
    expect((await search('my feet hurt'))[0]?.[1]).toBe('none');
    expect((await search('notes of trips'))[0]).toEqual(['notes', 'strong', 'notes', 'trips']);
    // The exact name stays first, whatever is closer.
    expect((await search('invoices'))[0]).toEqual(['invoices', 'strong', 'invoices']);
  });

  it('embeds a name as words, like an index in memory', async () => {
    const { embedded } = await createIndex(embed, [skill('hotel-rooms', 'Books.')]);
    expect(embedded).toEqual([['hotel rooms: Books.']]);
  });

  it('asks the model for nothing but the query, so that the first search is as fast as the others', async () => {
    const asked = vi.fn(embed);
    const { search } = await createIndex(asked);
    await search('pay a bill');
    expect(asked.mock.calls.map(([texts]) => texts)).toEqual([['pay a bill']]);
  });

  it('cuts long texts, which models refuse', async () => {
    const long = `Pays ${'😀'.repeat(2_000)}`;
    const asked = vi.fn(embed);
    const { search, embedded } = await createIndex(asked, [skill('invoices', long)]);
    expect(embedded.flat().map((text) => [text.length, text.isWellFormed()])).toEqual([[2_000, true]]);
    await search(`!${long}`);
    expect(asked.mock.calls.flat(2).map((text) => [String(text).length])).toContainEqual([2_000]);
  });

  it('does not ask the model about an empty query, and finds nothing', async () => {
    const asked = vi.fn(embed);
    const { search } = await createIndex(asked);
    for (const query of ['', ' \n']) expect(await search(query)).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('finds by meaning what was published before there was a model', async () => {
    const { database, tenant } = await open();
    for (const model of [undefined, embed]) {
      await publishSkills(database, await catalogOf(...library), { tenant, embed: model });
    }
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const [best] = await createPostgresIndex(database, skills, { tenant, embed }).search('flight');
    expect([best?.skill.name, best?.band]).toEqual(['hotels', 'weak']);
  });

  it('compares thousands of vectors before anything has counted them', async () => {
    const { database, tenant, catalog } = await createIndex(embed);
    await transact({ database, role: 'skillful_publisher', tenant }, async (query) => {
      await insertSkills(query, tenant, 1, 8_000);
      await query(
        `insert into skillful.vectors (tenant, digest, vector, closeness)
        select tenant, digest, '[1,1]', '{}' from skillful.bundles where tenant = $1 on conflict do nothing`,
        [tenant],
      );
    });
    // To compare each with all others would take longer than the test may.
    const [best] = await createPostgresIndex(database, catalog.skills, { tenant, embed }).search('flight');
    expect(best?.skill.name).toBe('hotels');
  }, 60_000);

  it.each<[string, Embed]>([
    [
      'whose vectors have the same length',
      async (texts, options) => (await embed(texts, options)).map(({ 0: a = 0, 1: b = 0 }) => [b, a / 2]),
    ],
    [
      'whose vectors are longer',
      async (texts, options) => (await embed(texts, options)).map((vector) => [...Array.from(vector), 1]),
    ],
  ])('computes all vectors again with another model %s', async (_, model) => {
    const { database, tenant, catalog } = await createIndex(embed);
    await publishSkills(database, await catalogOf(...library), { tenant, embed: model });
    const spy = vi.fn(model);
    await publishSkills(database, await catalogOf(...library), { tenant, embed: spy });
    expect(spy.mock.calls.map(([, { kind }]) => kind)).toEqual(['query']);
    const index = createPostgresIndex(database, catalog.skills, { tenant, embed: model });
    const [best] = await index.search('pay a bill');
    expect([best?.skill.name, best?.band]).toEqual(['invoices', 'weak']);
  });

  it('measures closeness by the skills of the current version, also after going back', async () => {
    const { database, query, tenant } = await open();
    const closest = async () => {
      const [row] = await query('select closest from skillful.tenants where tenant = $1', [tenant]);
      return row;
    };
    await publishSkills(database, await catalogOf(...library), { tenant, embed });
    const first = await closest();
    await publishSkills(database, await catalogOf(skill('payments', 'Pays a bill for a trip.')), { tenant, embed });
    const second = await closest();
    await rollBackSkills(database, 1, { tenant });
    expect(await closest()).toEqual(first);
    expect(second).not.toEqual(first);
  });

  it('gives a hostile tenant nothing of the vectors of another one', async () => {
    const { database, tenant: victim, catalog } = await createIndex(embed);
    const hostile = newTenant();
    await publishSkills(database, await catalogOf(skill('own', 'Is mine.')), { tenant: hostile, embed });
    const index = createPostgresIndex(database, catalog.skills, { tenant: hostile, embed });
    expect(await index.search('pay a bill')).toEqual([]);
    const run = (text: string) =>
      transact({ database, role: 'skillful_publisher', tenant: hostile }, (query) => query(text, [victim]));
    expect(await run('select from skillful.vectors where tenant = $1')).toEqual([]);
    expect(await run('update skillful.vectors set closeness = null where tenant = $1 returning digest')).toEqual([]);
    expect(await run('delete from skillful.vectors where tenant = $1 returning digest')).toEqual([]);
    await expect(run('update skillful.vectors set tenant = $1')).rejects.toThrow('row-level security');
    await expect(run('update skillful.tenants set closest = null where tenant = $1 returning tenant')).resolves.toEqual(
      [],
    );
  });

  it('compares with what words have found, also if others are closer', async () => {
    const { search } = await createIndex(embed, [
      skill('banking', 'Pays others.'),
      skill('charity', 'Pays the poor.'),
      skill('damages', 'Pays victims.'),
      skill('expenses', 'Pays workers.'),
      skill('fruit', 'Peels pears.'),
      skill('harvest', 'Peels pears, pays pickers.'),
    ]);
    // `fruit` and `harvest` have the same words.
    expect((await search('bill for peeled pears, plums and nuts', 1))[0]?.[0]).toBe('harvest');
  });

  it('finds by meaning what meets a filter, also behind many others, and says once that no vector fits', async () => {
    const many = Array.from({ length: 30 }, (_, index) => skill(`bill-${index}`, 'Writes a bill.'));
    const { index } = await createIndex(embed, [...many, skill('hotels', 'Books a hotel.\nmetadata:\n  tags: far')]);
    const onFailure = vi.fn();
    const found = await index.search('pay', { limit: 1, filter: { tag: 'far' }, onFailure });
    expect([found.map(({ skill: { name } }) => name), onFailure.mock.calls]).toEqual([['hotels'], []]);
    const other = await createIndex(async () => [[1, 0, 0]], many);
    await other.index.search('write a bill', { limit: 1, filter: { tag: 'far' }, onFailure });
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it('does not report that the model failed if the search is stopped', async () => {
    const stop = new AbortController();
    const { index } = await createIndex(() => {
      stop.abort(new Error('Enough.'));
      throw new Error('stopped');
    });
    const onFailure = vi.fn();
    await expect(index.search('pay', { signal: stop.signal, onFailure })).rejects.toThrow('Enough.');
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('finds nothing by meaning that has been removed since', async () => {
    const { database, tenant, search } = await createIndex(embed);
    await publishSkills(database, await catalogOf(...library.slice(1)), { tenant, embed });
    expect((await search('pay a bill')).map(([name]) => name)).toEqual(['hotels', 'notes']);
  });

  it('finds the other skills if some vectors have another length or no direction', async () => {
    const skills = [...library, skill('bills', 'Writes a bill.')];
    const { database, tenant, catalog, search } = await createIndex(embed, skills);
    for (const [name, vector] of [
      ['invoices', '[0,0]'],
      ['notes', '[1,0,1]'],
    ]) {
      const digest = catalog.skills.find((each) => each.name === name)?.identity;
      await transact({ database, role: 'skillful_publisher', tenant }, (query) =>
        query('update skillful.vectors set vector = $2 where digest = $1', [digest, vector]),
      );
    }
    expect((await search('flight'))[0]).toEqual(['hotels', 'weak']);
  });

  it('answers by words alone if the model fails, and says so', async () => {
    const { catalog, index, search, problems } = await createIndex(() => Promise.reject(new Error('no model')));
    expect(await search('hotel')).toEqual([['hotels', 'strong', 'hotel']]);
    expect(problems).toEqual(['no model']);
    const events: SkillEvent[] = [];
    const onEvent = (event: SkillEvent): void => {
      events.push(event);
    };
    const { tools } = createToolkit(catalog, { createIndex: () => index, tools: { find: true }, onEvent });
    await tools.find(({ name }) => name === 'find_skills')?.execute({ query: 'hotel' });
    expect(events.map(({ type }) => type)).toEqual(['search-failed', 'searched']);
    expect(events[0]).toEqual({ type: 'search-failed', reason: 'no model', tokens: 0 });
  });

  it.each<[string, unknown]>([
    ['no vectors', []],
    ['NaN', [[Number.NaN, 1]]],
    ['too large numbers', [[1e200, 1]]],
    ['objects', [{ embedding: [1, 1] }]],
    ['nothing', undefined],
  ])('answers by words alone, and says so, if the model returns %s', async (_, answer) => {
    const { search, problems } = await createIndex(async () => answer as number[][]);
    expect(await search('hotel')).toEqual([['hotels', 'strong', 'hotel']]);
    expect(problems).toEqual([expect.stringMatching(/^`embed` returned/)]);
  });

  it('refuses to publish with a model that returns no numbers', async () => {
    const { database } = await open();
    const publish = publishSkills(database, await catalogOf(...library), {
      tenant: newTenant(),
      embed: async (texts) => texts.map(() => [Number.NaN]),
    });
    await expect(publish).rejects.toThrow('`embed` returned a vector that is not a list of finite numbers.');
  });

  it.each<[string, (text: string, index: number) => number]>([
    ['it returned vectors of 2 and of 3 numbers', (_, index) => (index === 1 ? 3 : 2)],
    ['it returned vectors of 2 and of 3 numbers', (text) => (text.includes('hotel') ? 3 : 2)],
    ['a vector has more than the 16000 numbers that `pgvector` stores', () => 16_001],
  ])('publishes nothing if %s', async (problem, lengthFor) => {
    const { database } = await open();
    const publish = publishSkills(database, await catalogOf(...library), {
      tenant: newTenant(),
      embed: async (texts) => texts.map((text, index) => Array<number>(lengthFor(text, index)).fill(1)),
    });
    const message = `Nothing was published, because \`embed\` failed: ${problem}`;
    await expect(publish).rejects.toMatchObject({ code: 'source-failed', message });
  });

  it('says that nothing was published if the model fails', async () => {
    const { database } = await open();
    const publish = publishSkills(database, await catalogOf(...library), {
      tenant: newTenant(),
      embed: () => Promise.reject(new Error('429 rate limited')),
    });
    const message = 'Nothing was published, because `embed` failed: 429 rate limited';
    await expect(publish).rejects.toMatchObject({ code: 'source-failed', message });
  });

  it.each([
    [3, 'no published skill has a vector of 3 numbers; publish with the same `embed`'],
    [17_000, 'a vector has more than the 16000 numbers that `pgvector` stores'],
    [2, 'the vector of the query has only zeros', 0],
  ])('answers by words alone, and says so, if a vector has %d numbers', async (length, problem, number = 1) => {
    const { search, problems } = await createIndex(async (texts) => texts.map(() => Array(length).fill(number)));
    expect(await search('hotel')).toEqual([['hotels', 'strong', 'hotel']]);
    expect(problems).toEqual([problem]);
  });

  it.each(['query', 'skills'])('stops publishing when it is told to, even if the model hangs (%s)', async (hanging) => {
    const { database } = await open();
    const stop = new AbortController();
    const publishing = publishSkills(database, await catalogOf(...library), {
      tenant: newTenant(),
      signal: stop.signal,
      embed: (texts, options) => (options.kind === hanging ? new Promise(() => {}) : embed(texts, options)),
    });
    setTimeout(() => stop.abort(new Error('Enough.')), 20);
    await expect(publishing).rejects.toThrow(/^Enough\.$/);
  });

  it.each([
    ['questions', 'query', 20],
    ['skills', 'skills', 3],
  ])('refuses a model that returns too few vectors for %s', async (_, wrong, texts) => {
    const { database } = await open();
    const publish = publishSkills(database, await catalogOf(...library), {
      tenant: newTenant(),
      embed: async (texts, options) => (options.kind === wrong ? [] : embed(texts, options)),
    });
    await expect(publish).rejects.toThrow(`\`embed\` returned 0 vectors; expected ${texts}, one for each text.`);
  });
}
