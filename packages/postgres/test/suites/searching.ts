// Search: what the database finds, in which order, and why.

import { createSkillIndex, loadCatalog, renameSource, type SearchOptions } from '@skillful/core';
import { expect, it } from 'vitest';
import { createPostgresIndex, postgresSource, publishSkills } from '../../src/index.ts';
import { catalogOf, newTenant, type Open, skill } from './fixture.ts';

export function testSearch(open: Open): void {
  const library = [
    skill('pdf-forms', 'Fills the forms of a PDF file. Use when a form has to be filled.'),
    skill('pdf-merge', 'Merges several PDF files into one.'),
    skill('invoices', 'Writes invoices.', '# Invoices\nSends them as a PDF file with a watermark.'),
    skill('readCsvTable', 'Reads tables.'),
    skill('reise', '帮助用户预订机票和酒店'),
    skill('travel', 'ຈອງປີ້ຍົນແລະໂຮງແຮມ កក់សំបុត្រយន្តហោះ လေယာဉ်လက်မှတ်'),
    skill('cafe', 'Ouvre un café.'),
    skill('review', 'Checks a PR. 코드를 검토합니다.', `${'文'.repeat(1_900)} zebra ${'文'.repeat(200)} walrus`),
    skill('gateway', 'Secures APIs with base64Encode.'),
    skill('hosting', 'Watches a GitHub repository in Łódź.\nmetadata:\n  tags: Vercel, upTime'),
    skill('sync', '"Covers upload/download with node.js of CI/CD by me@example.com as <button>."'),
  ];

  /** Publishes skills, and returns a search among them, or among some of them. */
  async function createSearch(published = library, isKept: (name: string) => boolean = () => true) {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(...published), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const kept = skills.filter(({ name }) => isKept(name));
    const index = createPostgresIndex(database, kept, { tenant });
    return async (query: string, options?: SearchOptions) =>
      (await index.search(query, options)).map(({ skill: { name }, words }) => [name, [...words].sort().join(' ')]);
  }

  it('finds by name, purpose and body, also in other forms of the words, and says why', async () => {
    const search = await createSearch();
    expect(await search('fill a form')).toEqual([['pdf-forms', 'fill form']]);
    expect((await search('pdf-merge'))[0]).toEqual(['pdf-merge', 'pdf-merge']);
    expect(await search('watermarks')).toEqual([['invoices', 'watermarks']]);
    expect(await search('csv')).toEqual([['readCsvTable', 'csv']]);
    expect(await search('酒店')).toEqual([['reise', '酒店']]);
    for (const word of ['ໂຮງແຮມ', 'សំបុត្រ', 'လက်မှတ်']) expect(await search(word)).toEqual([['travel', word]]);
    expect(await search('CAFÉ')).toEqual([['cafe', 'CAFÉ']]);
    expect(await search('api')).toEqual([['gateway', 'api']]);
    for (const word of ['PRs', '코드는', 'zebra']) expect(await search(word)).toEqual([['review', word]]);
    expect(await search('APIs')).toEqual([['gateway', 'APIs']]);
    expect(await search('encode')).toEqual([['gateway', 'encode']]);
    for (const word of ['github', 'GitHub', 'git', 'lodz', 'łódź', 'vercel', 'time']) {
      expect(await search(word)).toEqual([['hosting', word]]);
    }
    for (const word of ['download', 'node', 'node.js', 'js', 'CI', 'CI/CD', 'example', 'button']) {
      expect([word, await search(word)]).toEqual([word, [['sync', word]]]);
    }
  });

  it('compares letters of other scripts with their signs, and capitals of Greek', async () => {
    const search = await createSearch([
      skill('billing', 'Στέλνει τιμολόγια σε πελάτες.'),
      skill('deploy', 'サーバーを再起動し、グループを作る。'),
      skill('invoice', 'สร้างใบแจ้งหนี้'),
      skill('iron', 'कील बनाता है।'),
      skill('time', 'काल बताता है।'),
    ]);
    for (const word of ['πελάτες', 'ΠΕΛΆΤΕΣ', 'πελατες']) expect(await search(word)).toEqual([['billing', word]]);
    expect(await search('グル')).toEqual([['deploy', 'グル']]);
    expect(await search('クル')).toEqual([]);
    expect(await search('หนี้')).toEqual([['invoice', 'หนี้']]);
    expect(await search('หน่')).toEqual([]);
    expect(await search('काल')).toEqual([['time', 'काल']]);
    expect(await search('कल')).toEqual([]);
  });

  it('finds abbreviations in any form', async () => {
    const search = await createSearch([
      skill('merge', 'Merges PDF documents.'),
      skill('review', 'Reviews PRs.'),
      skill('style', 'Writes CSS.'),
      skill('load', 'Watches CPUs.'),
    ]);
    for (const word of ['cpu', 'CPUs']) expect(await search(word)).toEqual([['load', word]]);
    expect(await search('pdfs')).toEqual([['merge', 'pdfs']]);
    expect(await search('prs')).toEqual([['review', 'prs']]);
    expect(await search('css')).toEqual([['style', 'css']]);
  });

  it('tells C, C# and C++ apart', async () => {
    const search = await createSearch([
      skill('native', 'Writes C.'),
      skill('services', 'Writes C#.'),
      skill('games', 'Writes C++17.'),
    ]);
    expect(await search('C')).toEqual([['native', 'C']]);
    expect(await search('C#')).toEqual([['services', 'C#']]);
    expect(await search('用C++')).toEqual([['games', '用C++']]);
  });

  it('treats letters with a sign between them as one word', async () => {
    const search = await createSearch([
      skill('ab-tests', 'Compares.'),
      skill('landing', 'Plans A/B tests.'),
      skill('tests', 'Tests plan B.'),
    ]);
    expect((await search('a/b-test')).slice(0, 2).map(([name]) => name)).toEqual(['ab-tests', 'landing']);
  });

  it('counts the first words of a query more than the last ones', async () => {
    const search = await createSearch();
    expect((await search('secures, then checks')).map(([name]) => name)).toEqual(['gateway', 'review']);
    expect((await search('checks, then secures')).map(([name]) => name)).toEqual(['review', 'gateway']);
  });

  it('puts the skill first whose name is the query, whatever its words, its letter case and the name that a layer gave it', async () => {
    const { database, tenant } = await open();
    const names = ['about', 'now', 'to-do', 'pdf', '🚀', 'ﬁle'];
    // Each description contains the names of all others.
    const skills = names.map((name) =>
      skill(
        name,
        names
          .filter((other) => other !== name)
          .join(' ')
          .repeat(3),
      ),
    );
    await publishSkills(database, await catalogOf(...skills), { tenant });
    const source = postgresSource(database, { tenant });
    for (const given of [source, renameSource(source, (name) => `acme/${name}`)]) {
      const catalog = await loadCatalog([given]);
      const index = createPostgresIndex(database, catalog.skills, { tenant });
      for (const { name } of catalog.skills) {
        for (const query of [name, ` ${name.toUpperCase()} `]) {
          const [first] = await index.search(query, { limit: 1 });
          expect([query, first?.skill.name, first?.band]).toEqual([query, name, 'strong']);
        }
      }
    }
  });

  it('finds nothing for words that no skill has, for common words, and for signs', async () => {
    const search = await createSearch();
    for (const query of ['zeppelin', 'walrus', 'the and of', '', "'", "\\ ' | & ! :* <-> (", '\0', '\ud800']) {
      expect([query, await search(query)]).toEqual([query, []]);
    }
  });

  it('finds nothing that the current version does not have', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(...library), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    await publishSkills(database, await catalogOf(...library.slice(1)), { tenant });
    const found = await createPostgresIndex(database, skills, { tenant }).search('fill a form of a pdf');
    expect(found.map((match) => match.skill.name)).toEqual(['pdf-merge', 'invoices']);
  });

  it('finds a skill as it was listed, although a newer version of it was published', async () => {
    const { database, tenant } = await open();
    for (const text of ['Peels pears.', 'Peels ripe pears.'])
      await publishSkills(database, await catalogOf(skill('peel', text), skill('cook', 'Cooks soup.')), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant, version: 1 })]);
    const search = createPostgresIndex(database, skills, { tenant });
    await publishSkills(database, await catalogOf(skill('peel', 'Peels apples and pears.')), { tenant });
    const found = await search.search('peel pears');
    expect(found.map((match) => match.skill)).toEqual([skills.find(({ name }) => name === 'peel')]);
  });

  it('finds the same, whatever other tenants and earlier versions have', async () => {
    const { database, tenant } = await open();
    const library = [
      ...[skill('merge-contract', 'Merges contracts.'), skill('acme-holiday', 'Lists the holidays of Acme.')],
      skill('deploy', 'Deploys the web site.'),
    ];
    const many = (text: string) => Array.from({ length: 2_500 }, (_, at) => skill(`s-${at}`, `${text} ${at}.`));
    await publishSkills(database, await catalogOf(...library, ...many('Merges the contract')), { tenant });
    await publishSkills(database, await catalogOf(...library), { tenant });
    await publishSkills(database, await catalogOf(...many('The contract to merge is')), { tenant: newTenant() });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const index = createPostgresIndex(database, skills, { tenant });
    for (const query of ['merge contract for Contoso', 'merge contract for Acme']) {
      const [first] = await index.search(query);
      expect([first?.skill.name, first?.band]).toEqual(['merge-contract', 'strong']);
    }
  });

  it('finds skills by common words of a large catalog, also if the query has a word that none has', async () => {
    const { database, tenant, query } = await open();
    const many = Array.from({ length: 3_000 }, (_, at) => skill(`s-${at}`, `Merges contracts of customer ${at}.`));
    const others = many.map((_, at) => skill(`t-${at}`, `Signs letters of agency ${at}.`));
    const library = [...many, ...others, skill('merge-contract', 'Merges a contract.')];
    await publishSkills(database, await catalogOf(...library), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const index = createPostgresIndex(database, skills, { tenant });
    expect((await index.search('merge contract for Contoso'))[0]?.skill.name).toBe('merge-contract');
    // No skill has both.
    expect(await index.search('customer and agency')).toHaveLength(5);
    const counted = `select lexeme, holders from unnest(
      (select common from skillful.tenants where tenant = $1), (select holders from skillful.tenants where tenant = $1)
    ) as c (lexeme, holders) where lexeme in ('custom', 'merg', '17') order by 1`;
    const [custom, merge, ...rare] = (await query(counted, [tenant])) as readonly { readonly holders: number }[];
    // Estimated from 1,000 of them.
    expect([custom?.holders, merge?.holders, rare]).toEqual([expect.closeTo(3_000, -3), expect.closeTo(3_000, -3), []]);
  });

  it('finds a skill of the index behind many others that are not in it', async () => {
    const { database, tenant } = await open();
    const names = Array.from({ length: 50 }, (_, at) => `s-${10 + at}`);
    await publishSkills(database, await catalogOf(...names.map((name) => skill(name, 'Peels pears.'))), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const found = await createPostgresIndex(database, skills.slice(-1), { tenant }).search('pears', { limit: 2 });
    expect(found.map((match) => match.skill.name)).toEqual(['s-59']);
  });

  it('reads the first 4,000 characters of a query', async () => {
    const search = await createSearch();
    const filler = 'zeppelin '.repeat(500);
    expect([await search(`${filler} invoices`), await search(`invoices ${filler}`)]).toEqual([
      [],
      [['invoices', 'invoices']],
    ]);
  });

  it('says how well a skill answers, as the index in memory does', async () => {
    const { database, tenant } = await open();
    await publishSkills(database, await catalogOf(...library), { tenant });
    const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
    const indexes = [createPostgresIndex(database, skills, { tenant }), createSkillIndex(skills)];
    for (const [query, band] of [
      ['fill the forms of a PDF file', 'strong'],
      ['invoices', 'strong'],
      ['wash the dishes, walk the dog, feed the cat and sing a song about tables', 'none'],
    ]) {
      const bands = indexes.map(async (index) => (await index.search(query ?? ''))[0]?.band);
      expect([query, ...(await Promise.all(bands))]).toEqual([query, band, band]);
    }
  });

  it('finds only skills of the index and of the filter, as many as are wanted', async () => {
    const search = await createSearch(library, (name) => name !== 'pdf-merge');
    expect((await search('pdf')).map(([name]) => name)).toEqual(['pdf-forms', 'invoices']);
    expect((await search('pdf', { limit: 1 })).map(([name]) => name)).toEqual(['pdf-forms']);
    for (const limit of [2 ** 31, Number.POSITIVE_INFINITY]) {
      expect((await search('pdf', { limit })).map(([name]) => name)).toEqual(['pdf-forms', 'invoices']);
    }
    expect(await search('pdf', { filter: { scope: 'user' } })).toEqual([]);
    const misspelt: object = { fliter: { scope: 'user' } };
    await expect(search('pdf', misspelt)).rejects.toMatchObject({ code: 'options-invalid' });
    await expect(search('pdf', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
  });
}
