import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkillIndex } from '../../src/index.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const skills = [
  fakeSkill('csv-report', 'Turns tables into reports.'),
  fakeSkill('invoices', 'Writes an invoice as a PDF.', { whenToUse: 'Use when a customer is billed.' }),
  fakeSkill('pdf', 'Fills forms and merges documents.', { metadata: { tags: 'acrobat, Tax forms, DocuSign' } }),
  fakeSkill('übersetzen', 'Übersetzt Texte ins Deutsche.'),
  fakeSkill('fanyi', '翻译技术文档'),
  fakeSkill('constructor', 'Draws houses. ⚠️'),
  fakeSkill('review', 'Checks a PR. 코드를 검토합니다.'),
];
const search = (query: string, limit?: number) =>
  createSkillIndex(skills)
    .search(query, { limit })
    .map(({ skill }) => skill.name);

/** Searches skills with these names and descriptions, and returns the names of those that it finds, and their words. */
function searchAmong(descriptions: Readonly<Record<string, string>>) {
  const index = createSkillIndex(Object.entries(descriptions).map(([name, text]) => fakeSkill(name, text)));
  const namesOf = (query: string) => index.search(query).map(({ skill }) => skill.name);
  const wordsOf = (query: string) => index.search(query).map(({ skill, words }) => [skill.name, ...words]);
  return { namesOf, wordsOf };
}

describe('createSkillIndex', () => {
  it.each([
    ['a name before a description', 'pdf', ['pdf', 'invoices']],
    ['other forms of a word', 'filling a form', ['pdf']],
    ['words of when to use it', 'billing customers', ['invoices']],
    ['words of its tags', 'taxes in Acrobat', ['pdf']],
    ['a part of a tag in `camelCase`', 'signs', ['pdf']],
    ['another case and another form of a letter', 'ÜBERSETZEN', ['übersetzen']],
    ['text without spaces', '技术', ['fanyi']],
    ['a word with another ending in a script whose words have many', '코드는', ['review']],
    ['an abbreviation by its plural', 'PRs', ['review']],
    ['a word that objects have, too', 'constructor', ['constructor']],
    ['nothing for words that all have', 'when to use the', []],
    ['nothing for what is left of short forms', "don't we've it's they'll doesn’t", []],
    ['nothing for nothing', '', []],
    ['nothing for what an object has', '__proto__ toString', []],
    ['nothing for another symbol with the same invisible mark', '❤️', []],
    ['nothing for signs', '*+?^(){}|[]\\', []],
  ])('finds %s', (_, query, names) => {
    expect(search(query)).toEqual(names);
  });

  it('finds names by common words if a query has no others', () => {
    const { namesOf, wordsOf } = searchAmong({
      'use-cases': 'Writes them for the user.',
      'user-research': 'Interviews users.',
      'How to help users': 'Answers mail.',
      help: 'Shows what there is.',
    });
    expect(wordsOf("Users user's Users")).toEqual([
      ['How to help users', 'Users', 'user'],
      ['user-research', 'Users', 'user'],
    ]);
    expect(namesOf('use')).toEqual(['use-cases']);
    expect(namesOf('help')).toEqual(['help', 'How to help users']);
    expect(namesOf('how can I help a user')).toEqual([]);
    expect(namesOf('user zeppelin')).toEqual([]);
    expect(createSkillIndex([fakeSkill('user-research', '')]).search('user')[0]?.band).toBe('weak');
  });

  it('reads the first 4,000 characters of a query', () => {
    const filler = 'zeppelin '.repeat(500);
    const found = [`${filler} invoices`, `invoices ${filler}`].map((query) => search(query));
    expect(found).toEqual([[], ['invoices']]);
  });

  it('counts the first words of a query more than the last ones', () => {
    const { namesOf } = searchAmong({ one: 'Reviews literature.', other: 'Explains transformers.' });
    expect(namesOf('review what was written about transformers')[0]).toBe('one');
    expect(namesOf('how are transformers reviewed')[0]).toBe('other');
  });

  it('finds words without the signs and letters that people leave out', () => {
    const pairs = [
      ['كِتَاب', 'كتاب'],
      ['إدارة', 'ادارة'],
      ['كتـــب', 'كتب'],
      ['رحمٰن', 'رحمن'],
      ['תִּקּוּן', 'תקון'],
      ['Straße', 'STRASSE'],
      ['łódź', 'Lodz'],
      ['đường', 'duong'],
      ['Ærø', 'aero'],
      ['þing', 'thing'],
      ['cœur', 'coeur'],
      ['ılık', 'ilik'],
    ] as const;
    const index = createSkillIndex(pairs.map(([word], number) => fakeSkill(`skill-${number}`, word)));
    const found = (query: string) =>
      index.search(query).map(({ skill, words }) => [skill.properties.description, words]);
    for (const [word, plain] of pairs) {
      expect([found(word), found(plain)]).toEqual([[[word, [word]]], [[word, [plain]]]]);
    }
  });

  it('tells C, C# and C++ apart', () => {
    const { namesOf } = searchAmong({
      native: 'Writes C.',
      services: 'Writes C#, also in 日本語 (C#).',
      games: 'Writes C++17.',
    });
    expect(['C', 'c#?', '用C++', 'F#'].map(namesOf)).toEqual([['native'], ['services'], ['games'], []]);
  });

  it('rates sentences without spaces like others, although half of their pairs span two words', () => {
    const index = createSkillIndex([
      fakeSkill('laws', '日本の法令を検索します。憲法、法律、政令などを検索できます。'),
      fakeSkill('translate', '把技术文档翻译成中文。'),
      fakeSkill('tax', 'คำนวณภาษีเงินได้บุคคลธรรมดาและยื่นแบบ'),
      ...Array.from({ length: 90 }, (_, at) => fakeSkill(`other-${at}`, 'Writes a report about the sales of a month.')),
    ]);
    const found = (query: string) =>
      index.search(query).flatMap(({ skill, band }) => (band === 'none' ? [] : [skill.name]));
    for (const [query, name] of [
      ['法令を調べて', 'laws'],
      ['请翻译这个文档', 'translate'],
      ['ช่วยยื่นภาษีให้หน่อย', 'tax'],
    ] as const) {
      expect([query, found(query)]).toEqual([query, [name]]);
    }
    for (const query of ['今日の天気はどうですか', '为什么天空是蓝色的', 'ทำไมท้องฟ้าถึงเป็นสีฟ้า']) {
      expect([query, found(query)]).toEqual([query, []]);
    }
  });

  it('treats `adding` as a form of `add`, not of `ad`', () => {
    const { namesOf } = searchAmong({ campaigns: 'Writes ads.', members: 'Adds members.' });
    expect(['adding', 'added', 'ad'].map(namesOf)).toEqual([['members'], ['members'], ['campaigns']]);
  });

  it('never treats a number as a typo or the beginning of another one, but finds a word without its number', () => {
    const { wordsOf } = searchAmong({ audit: 'Audits ISO 27002.', login: 'Adds OAuth2 in Python.' });
    for (const query of ['iso 27001', 'iso 2700', 'iso 270022']) expect(wordsOf(query)).toEqual([['audit', 'iso']]);
    expect(wordsOf('iso 27002')).toEqual([['audit', 'iso', '27002']]);
    for (const query of ['oauth', 'oauht2', 'python3']) expect(wordsOf(query)).toEqual([['login', query]]);
    for (const query of ['oauth1', 'oauth20']) expect(wordsOf(query)).toEqual([]);
  });

  it('treats letters with a sign between them as one word, which names contain without the sign', () => {
    const { wordsOf } = searchAmong({
      'ab-tests': 'Compares two pages.',
      landing: 'Plans A/B tests of pages.',
      qna: 'Answers.',
      help: 'Answers in a Q&A.',
      qa: 'Answers whether software works.',
      tests: 'Tests whether C/C++ works.',
    });
    expect(wordsOf('an a/b-test').slice(0, 2)).toEqual([
      ['ab-tests', 'a/b', 'test'],
      ['landing', 'a/b', 'test'],
    ]);
    for (const query of ['Q&A?', 'Q&As']) {
      const word = query.replace('?', '');
      expect(wordsOf(query)).toEqual([
        ['qna', word],
        ['help', word],
      ]);
    }
    expect(['C', 'C++/C'].map(wordsOf)).toEqual([[['tests', 'C']], [['tests', 'C++', 'C']]]);
  });

  it('counts a word more in a short name than in a long one', () => {
    const { namesOf } = searchAmong({ 'merge-split-rotate-pdf': 'Pages.', pdf: 'Pages in red, green, blue.' });
    expect(namesOf('pdf pages')).toEqual(['pdf', 'merge-split-rotate-pdf']);
  });

  it('counts a single letter or digit less than a word, but finds it', () => {
    const { namesOf } = searchAmong({ 'b-5': 'Flies.', roadmap: 'Plans what is built next quarter.' });
    expect(['plan B', '5'].map(namesOf)).toEqual([['roadmap', 'b-5'], ['b-5']]);
  });

  it('counts a word with capital letters inside as one, not as many as it has parts', () => {
    const { wordsOf } = searchAmong({
      reels: 'Posts films on TikTok daily.',
      'shop-ads': 'Sells products by paid advertising in newspapers.',
    });
    expect(wordsOf('Should we advertise our paid products on TikTok?')).toEqual([
      ['shop-ads', 'advertise', 'paid', 'products'],
      ['reels', 'Tik', 'Tok', 'TikTok'],
    ]);
  });

  it('reads no other words into abbreviations', () => {
    const { wordsOf } = searchAmong({
      gateway: 'Secures APIs of a SaaS.',
      news: 'Writes in the style of the AP.',
      codec: 'Calls base64Encode for B2B customers.',
    });
    expect(wordsOf('Which APIs?')).toEqual([['gateway', 'APIs']]);
    expect(wordsOf('SaaS')).toEqual([['gateway', 'SaaS']]);
    for (const query of ['B2B', 'encode']) expect(wordsOf(query)).toEqual([['codec', query]]);
  });

  it('gives no more than it is asked for, equals in the order of names', () => {
    const alike = createSkillIndex(['b', 'c', 'a'].map((name) => fakeSkill(name, 'Same words.')));
    expect(alike.search('words', { limit: 2 }).map(({ skill }) => skill.name)).toEqual(['a', 'b']);
    expect(alike.search('words', { limit: 0 })).toEqual([]);
  });

  it('finds each skill by its own description, whatever it says', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const index = createSkillIndex([fakeSkill('one', one), fakeSkill('other', other)]);
        const found = index.search(one, { limit: 2 }).map(({ skill }) => skill.description);
        expect(found.length === 0 || found.includes(one)).toBe(true);
        expect(index.search(one, { limit: 2 })).toEqual(index.search(one, { limit: 2 }));
      }),
    );
  });
});
