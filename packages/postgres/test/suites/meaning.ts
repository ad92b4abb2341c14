// Search by meaning, with a model of our own that knows two meanings.

import { createToolkit, type Embed, loadCatalog, type SkillEvent } from '@skillful/core';
import { expect, it, vi } from 'vitest';
import { transact } from '../../src/database.ts';
import { createPostgresIndex, postgresSource, publishSkills } from '../../src/index.ts';
import { catalogOf, newTenant, type Open, skill } from './fixture.ts';

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
    const { database } = await open();
    const tenant = newTenant();
    const spy = vi.fn(embed);
    for (let round = 0; round < 2; round += 1) {
      await publishSkills(database, await catalogOf(...skills), { tenant, embed: spy });
    }
    const catalog = await loadCatalog([postgresSource(database, { tenant })]);
    const problems: unknown[] = [];
    const onEmbedError = (error: unknown): void => {
      problems.push(error);
    };
    const index = createPostgresIndex(database, catalog.skills, { tenant, embed: query, onEmbedError });
    const search = async (text: string, limit = 2) =>
      (await index.search(text, { limit })).map(({ skill: { name }, band, words }) => [name, band, ...words]);
    return { database, tenant, catalog, index, search, problems, embedded: spy.mock.calls.map(([texts]) => texts) };
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

  it('compares with what words have found, also if others are closer', async () => {
    const { search } = await createIndex(embed, [
      skill('banking', 'Pays others.'),
      skill('charity', 'Pays the poor.'),
      skill('fruit', 'Peels pears.'),
      skill('harvest', 'Peels pears, pays pickers.'),
    ]);
    // `fruit` and `harvest` have the same words.
    expect((await search('bill for peeled pears, plums and nuts', 1))[0]?.[0]).toBe('harvest');
  });

  it('finds the others beside vectors of another length, and beside those without a direction', async () => {
    const { database, tenant, catalog, search } = await createIndex(embed);
    for (const [name, vector] of [
      ['invoices', '[0,0]'],
      ['notes', '[1,0,1]'],
    ]) {
      const digest = catalog.skills.find((each) => each.name === name)?.identity;
      await transact(database, { role: 'skillful_publisher', tenant }, (query) =>
        query('update skillful.vectors set vector = $2::vector where digest = $1', [digest, vector]),
      );
    }
    expect((await search('flight'))[0]).toEqual(['hotels', 'weak']);
  });

  it('answers by words alone if the model fails, and says so', async () => {
    const { catalog, index, search, problems } = await createIndex(() => Promise.reject(new Error('no model')));
    expect(await search('hotel')).toEqual([['hotels', 'strong', 'hotel']]);
    expect(problems).toEqual([new Error('no model')]);
    const events: SkillEvent[] = [];
    const onEvent = (event: SkillEvent): void => {
      events.push(event);
    };
    const { tools } = createToolkit(catalog, { createIndex: () => index, tools: { find: true }, onEvent });
    await tools.find(({ name }) => name === 'find_skills')?.execute({ query: 'hotel' });
    expect(events.map(({ type }) => type)).toEqual(['search-failed', 'searched']);
    expect(events[0]).toEqual({ type: 'search-failed', reason: 'no model', tokens: 0 });
  });

  it('refuses a model that returns too few vectors', async () => {
    const { database } = await open();
    const publish = publishSkills(database, await catalogOf(...library), {
      tenant: newTenant(),
      embed: async () => [],
    });
    await expect(publish).rejects.toThrow('`embed` returned 0 vectors for 3 texts.');
  });
}
