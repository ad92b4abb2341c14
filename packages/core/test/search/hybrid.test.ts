import { describe, expect, it, vi } from 'vitest';
import { offTopicQuestions } from '../../src/extending.ts';
import { type Embed, type HybridIndexOptions, hybridIndex, type SearchOptions } from '../../src/index.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const skills = [
  fakeSkill('invoices', 'Bills customers.'),
  fakeSkill('soup', 'Cooks dinner.'),
  fakeSkill('trees', 'Plants oaks.'),
];
const topics = [/bill|invoice|money|charge/iu, /cook|dinner|soup|hungry/iu, /oak|tree|forest/iu];

/** Knows three topics, each a direction. */
function embedder() {
  const calls: (readonly string[])[] = [];
  const embed: Embed = async (texts) => {
    calls.push(texts);
    return texts.map((text) => topics.map((topic) => (topic.test(text) ? 3 : 0.1)));
  };
  return { calls, embed };
}
const names = (matches: readonly { skill: { name: string } }[]) => matches.map(({ skill }) => skill.name);

/** Searches with a new index. Returns what was found, and why it was found by words only. */
async function search(query: string, options: Partial<HybridIndexOptions> = {}, searchOptions: SearchOptions = {}) {
  const reasons: string[] = [];
  const index = hybridIndex({ embed: embedder().embed, ...options })(skills);
  const matches = await index.search(query, { ...searchOptions, onFailure: (why) => reasons.push(why) });
  return { matches, found: names(matches), reasons };
}

describe('hybridIndex', () => {
  it('finds by meaning what no word finds', async () => {
    const { matches } = await search('I am hungry', {}, { limit: 1 });
    expect(matches.map(({ skill, words }) => [skill.name, words])).toEqual([['soup', []]]);
  });

  it('begins to embed again after 30 seconds without an answer, but not while parts arrive', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['performance'] });
    try {
      const many = Array.from({ length: 100 }, (_, at) => fakeSkill(`soup-${at}`, 'Cooks dinner.'));
      const ends: (() => void)[] = [];
      const { embed: answer } = embedder();
      const embed = vi.fn<Embed>(async (texts, options) => {
        if (options.kind === 'skills') await new Promise<void>((resolve) => ends.push(resolve));
        return answer(texts, options);
      });
      const index = hybridIndex({ embed, timeout: 1 })(many);
      await index.search('hungry');
      await vi.waitFor(() => expect(ends).toHaveLength(1));
      vi.advanceTimersByTime(30_000);
      ends[0]?.();
      await vi.waitFor(() => expect(ends).toHaveLength(2));
      vi.advanceTimersByTime(29_000);
      await index.search('hungry');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(ends).toHaveLength(2);
      vi.advanceTimersByTime(31_000);
      await index.search('hungry');
      await vi.waitFor(() => expect(ends).toHaveLength(3));
    } finally {
      vi.useRealTimers();
    }
  });

  it('ranks what both ways find first, and says which words it has', async () => {
    const [first] = (await search('charge customers money', {}, { limit: 3 })).matches;
    expect([first?.skill.name, first?.words, first?.band]).toEqual(['invoices', ['customers'], 'weak']);
  });

  it('compares the query with what its words find, also if a hundred others are closer', async () => {
    const soups = Array.from({ length: 100 }, (_, at) => fakeSkill(`soup-${at}`, 'Cooks dinner.'));
    const found = [fakeSkill('barn', 'Stores pears.'), fakeSkill('cellar', 'Stores pears.')];
    // The cellar is nearly about dinner, and behind the barn by name.
    const embed: Embed = async (texts) =>
      texts.map((text) => [1, /soup|hungry/u.test(text) ? 0 : /cellar/u.test(text) ? 0.1 : 9]);
    const [first] = await hybridIndex({ embed })([...soups, ...found]).search('hungry for pears tonight');
    expect(first?.skill.name).toBe('cellar');
  });

  it('counts how much closer a skill is than others, because all texts are similar to some models', async () => {
    const stores = [fakeSkill('barn', 'Stores pears.'), fakeSkill('cellar', 'Stores pears below the old house.')];
    const embed: Embed = async (texts) => texts.map((text) => [9, /hungry|cellar/u.test(text) ? 1 : 0]);
    const [first] = await hybridIndex({ embed })(stores).search('hungry for pears tonight');
    expect(first?.skill.name).toBe('cellar');
  });

  it('says that nothing fits if the query is no closer to a skill than questions about other things', async () => {
    // All texts are about much the same to this model.
    const embed: Embed = async (texts) =>
      texts.map((text) => [9, ...topics.map((topic) => (topic.test(text) ? 3 : 0))]);
    const bandOf = async (query: string) => (await search(query, { embed })).matches[0]?.band;
    expect(await bandOf('my feet hurt')).toBe('none');
    expect(await bandOf('I am hungry')).toBe('weak');
  });

  it('does not ask the model about the name of a skill, in upper or lower case', async () => {
    const { calls, embed } = embedder();
    expect((await search(' Soup ', { embed })).found).toEqual(['soup']);
    expect(calls).toEqual([]);
  });

  it('embeds each text once, also in the index of a later catalog', async () => {
    const { calls, embed } = embedder();
    const create = hybridIndex({ embed });
    await create(skills).search('money');
    const more = [...skills, fakeSkill('fish', 'Catches fish.')];
    await create(more).search('money');
    expect(calls).toEqual([
      ['money'],
      ['invoices: Bills customers.', 'soup: Cooks dinner.', 'trees: Plants oaks.'],
      offTopicQuestions,
      ['money'],
      ['fish: Catches fish.'],
    ]);
  });

  const noNumbers = '`embed` returned a vector that is not a list of finite numbers.';
  const cannotCompare = (numbers: string) =>
    `Vectors of ${numbers} numbers cannot be compared. Use one model for all texts, and its own \`vectors\` for each model.`;
  it.each<[string, () => unknown, string]>([
    ['fails', () => Promise.reject(new Error('No quota.')), 'No quota.'],
    ['hangs', () => new Promise(() => {}), 'No answer within 20 ms.'],
    ['returns nothing', async () => undefined, '`embed` returned no list of vectors.'],
    ['returns too few vectors', async () => [], '`embed` returned 0 vectors; expected 1, one for each text.'],
    ['returns one vector for all', async () => [1, 2, 3], '`embed` returned 3 vectors; expected 1, one for each text.'],
    ['returns NaN', async () => [[Number.NaN]], noNumbers],
    ['returns too large numbers', async () => [[1e200]], noNumbers],
    ['returns what JSON makes of NaN', async () => [[null]], noNumbers],
    ['returns empty vectors', async () => [[]], noNumbers],
    ['returns objects', async () => [{ embedding: [1, 2, 3] }], noNumbers],
    ['returns promises', async () => [Promise.resolve([1, 2, 3])], noNumbers],
    ['returns texts', async () => ['123'], noNumbers],
    ['returns one number too many for the query', async () => [[1, 2, 3, 4]], cannotCompare('4 and 3')],
  ])('answers by words if the embedder %s, and says so', async (_, answer, reason) => {
    const ofQuery = answer as () => ReturnType<Embed>;
    const embed: Embed = (texts, options) => (texts.length === 1 ? ofQuery() : embedder().embed(texts, options));
    const { found, reasons } = await search('customers who cook', { embed, timeout: 20 });
    expect([found, reasons]).toEqual([['invoices', 'soup'], [reason]]);
  });

  it.each<[string, unknown, string]>([
    ['from another model', [1, 2], cannotCompare('3 and 2')],
    [
      'that is a promise',
      Promise.resolve([1, 2, 3]),
      '`vectors` returned a vector that is not a list of finite numbers.',
    ],
  ])('answers by words if the cache returns a vector %s, and says so', async (_, cached, reason) => {
    const vectors = { get: () => cached as ArrayLike<number>, set: () => {} };
    const { found, reasons } = await search('customers who cook', { vectors });
    expect([found, reasons]).toEqual([['invoices', 'soup'], [reason]]);
  });

  it('gives the embedder only whole characters, because a provider may refuse the whole batch', async () => {
    const { calls, embed } = embedder();
    const soups = '🍲'.repeat(2_000);
    // One of two lengths is cut in the middle of a character.
    const index = hybridIndex({ embed })([fakeSkill('a', soups), fakeSkill('ab', soups)]);
    for (const query of ['\ud800', `a ${soups}`, `ab ${soups}`]) await index.search(query);
    expect(calls.flat().filter((text) => !text.isWellFormed())).toEqual([]);
    expect(Math.max(...calls.flat().map(({ length }) => length))).toBe(2_000);
  });

  it('embeds what the cache says it lacks with null, as many stores do', async () => {
    const vectors = { get: () => null, set: () => {} };
    const { found, reasons } = await search('I am hungry', { vectors }, { limit: 1 });
    expect([found, reasons]).toEqual([['soup'], []]);
  });

  it('needs no cache that keeps all vectors', async () => {
    const { calls, embed } = embedder();
    const index = hybridIndex({ embed, vectors: { get: () => undefined, set: () => {} } })(skills);
    for (const _ of [1, 2]) expect(names(await index.search('I am hungry', { limit: 1 }))).toEqual(['soup']);
    expect(calls).toHaveLength(4);
  });

  const throwError = (): never => {
    throw new Error('The disk is full.');
  };
  it.each<[string, () => unknown]>([
    ['throws', throwError],
    ['rejects', () => Promise.reject(new Error('The store is away.'))],
  ])('finds by meaning all the same if the cache %s when it is given a vector', async (_, set) => {
    const vectors = { get: () => undefined, set };
    expect((await search('I am hungry', { vectors }, { limit: 1 })).found).toEqual(['soup']);
  });

  it('tries again after a failure', async () => {
    const { embed } = embedder();
    let isDown = true;
    const index = hybridIndex({ embed: (...call) => (isDown ? Promise.reject(new Error('Down.')) : embed(...call)) })(
      skills,
    );
    expect(names(await index.search('hungry'))).toEqual([]);
    isDown = false;
    expect(names(await index.search('hungry', { limit: 1 }))).toEqual(['soup']);
  });

  it('embeds again if what another search began fails, which may end with the request of that search', async () => {
    const { calls, embed } = embedder();
    let end = (_: Error): void => {};
    const ended = new Promise<never>((_, reject) => {
      end = reject;
    });
    let attempts = 0;
    const isFirst = (texts: readonly string[]) => texts.length === skills.length && ++attempts === 1;
    const index = hybridIndex({ embed: (texts, options) => (isFirst(texts) ? ended : embed(texts, options)) })(skills);
    const searches = [index.search('hungry', { limit: 1 }), index.search('I am hungry', { limit: 1 })];
    // Both queries are embedded, and the skills are about to be.
    await vi.waitFor(() => expect({ attempts, queries: calls.length }).toEqual({ attempts: 1, queries: 2 }));
    await new Promise(setImmediate);
    end(new Error('This request has ended.'));
    expect((await Promise.all(searches)).map(names)).toEqual([[], ['soup']]);
  });

  it('stops when it is told to', async () => {
    const index = hybridIndex({ embed: () => new Promise(() => {}) })(skills);
    const signal = AbortSignal.abort(new Error('Enough.'));
    await expect(async () => index.search('hungry', { signal })).rejects.toThrow('Enough.');
    const stop = new AbortController();
    const searching = index.search('hungry', { signal: stop.signal });
    stop.abort(new Error('Enough.'));
    await expect(searching).rejects.toThrow('Enough.');
  });

  it('lets a re-ranker decide the order of the best', async () => {
    const rerank = async (_: string, texts: readonly string[]) =>
      texts.map((text) => (text.startsWith('trees') ? 1 : 0));
    expect((await search('cooks dinner', { rerank })).found).toEqual(['trees', 'invoices', 'soup']);
  });

  it('tells the embedder and a re-ranker when to use a skill, and its tags', async () => {
    const text = 'pdf: Fills.\nFor tax.\nAcrobat, forms';
    const read: string[] = [];
    const rerank = async (_: string, texts: readonly string[]) => texts.map((text) => read.push(text));
    const { embed, calls } = embedder();
    const index = hybridIndex({ embed, rerank })([
      fakeSkill('pdf', 'Fills.', { whenToUse: 'For tax.', extensions: { tags: ['Acrobat', 'forms'] } }),
    ]);
    await index.search('tax forms');
    expect([read, calls.flat()]).toEqual([[text], expect.arrayContaining([text])]);
  });

  it.each([
    ['too few numbers', [1]],
    ['too many numbers', [1, 2, 3, 4]],
    ['nothing', undefined as unknown as number[]],
    ['no numbers', [Number.NaN, Number.NaN, Number.NaN]],
    ['one that is no number', [1, Number.NaN, 2]],
    ['texts', ['1', '2', '3'] as unknown as number[]],
  ])('keeps its own order if the reranker returns %s, and says so', async (_, scores) => {
    const { matches, reasons } = await search('cooks dinner', { rerank: async () => scores });
    expect(matches).toEqual((await search('cooks dinner')).matches);
    expect(reasons).toEqual(['The reranker did not return a number for each text.']);
  });

  it.each([
    [1, 20],
    [5, 20],
    [6, 24],
    [200, 150],
  ])(
    'of %d skills that are wanted, returns no more, and gives a re-ranker %d candidates',
    async (limit, candidates) => {
      const many = Array.from({ length: 150 }, (_, index) => fakeSkill(`dinner-${index}`, 'Cooks dinner.'));
      let read = 0;
      const rerank = async (_: string, texts: readonly string[]) => {
        read = texts.length;
        return texts.map(() => 1);
      };
      const index = hybridIndex({ embed: embedder().embed, rerank })(many);
      expect([await index.search('dinner', { limit }), await index.search('dinner-7', { limit })]).toEqual([
        expect.objectContaining({ length: Math.min(limit, 150) }),
        expect.objectContaining({ length: Math.min(limit, 150) }),
      ]);
      expect(read).toBe(candidates);
    },
  );

  it('has equals in the order of names, whatever the order of the skills is', async () => {
    const meals = ['lunch', 'dinner', 'breakfast'].map((name) => fakeSkill(name, 'Cooks soup.'));
    for (const order of [meals, meals.toReversed()]) {
      const index = hybridIndex({ embed: embedder().embed })(order);
      expect(names(await index.search('hungry'))).toEqual(['breakfast', 'dinner', 'lunch']);
    }
  });

  it('asks no model about nothing', async () => {
    const { calls, embed } = embedder();
    expect([await hybridIndex({ embed })(skills).search(' \n'), calls]).toEqual([[], []]);
  });

  it('keeps to a filter', async () => {
    expect((await search('hungry', {}, { filter: { source: 'elsewhere' } })).found).toEqual([]);
  });
});
