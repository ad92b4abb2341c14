import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkillIndex, type Skill, type SkillIndex } from '../../src/index.ts';
import { openDocuments, saveDocuments } from '../../src/search/saved.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const word = fc.constantFrom(
  'fill',
  'forms',
  'PDF',
  'report',
  'reports',
  'parseJSONFile',
  'Übersetzen',
  '翻译技术',
  'csv',
  'the',
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const name = fc.array(fc.constantFrom('pdf', 'form', 'report', 'csv', 'x'), { minLength: 1, maxLength: 3 });
const library = fc.uniqueArray(fc.record({ name: name.map((parts) => parts.join('-')), description: text }), {
  selector: ({ name }) => name,
  minLength: 1,
  maxLength: 12,
});
const skillsOf = (drafts: readonly { name: string; description: string }[]): readonly Skill[] =>
  drafts.map(({ name, description }) => fakeSkill(name, description));
const answer = async (index: SkillIndex, query: string) =>
  (await index.search(query, { limit: 20 })).map(({ skill, score, band, words }) => [skill.name, score, band, words]);

describe('a search', () => {
  it('ranks the skill first whose name is the query', () => {
    fc.assert(
      fc.property(library, fc.nat(), (drafts, pick) => {
        const wanted = drafts[pick % drafts.length]?.name ?? '';
        const [first] = createSkillIndex(skillsOf(drafts)).search(wanted.toUpperCase(), { limit: 1 });
        expect([first?.skill.name, first?.band]).toEqual([wanted, 'strong']);
      }),
    );
  });

  it('is sure about a name of words that are never looked up', () => {
    const index = createSkillIndex([fakeSkill('help', 'Explains commands.'), fakeSkill('pdf', 'Fills forms.')]);
    expect(index.search('help').map(({ skill, band }) => [skill.name, band])).toEqual([['help', 'strong']]);
  });

  it('finds an exact match whatever unrelated skills there are', () => {
    fc.assert(
      fc.property(library, fc.integer({ min: 1, max: 40 }), (drafts, count) => {
        const others = Array.from({ length: count }, (_, at) => fakeSkill(`zebra-${at}`, 'Feeds zebras. '.repeat(at)));
        const index = createSkillIndex([...others, ...skillsOf(drafts)]);
        for (const { name: wanted } of drafts) {
          expect(index.search(wanted, { limit: 1 }).map(({ skill }) => skill.name)).toEqual([wanted]);
        }
      }),
    );
  });

  it('does not depend on the order of the skills', async () => {
    const shuffled = library.chain((drafts) =>
      fc.tuple(fc.constant(drafts), fc.shuffledSubarray(drafts, { minLength: drafts.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, text, async ([drafts, others], query) => {
        const one = createSkillIndex(skillsOf(drafts));
        expect(await answer(createSkillIndex(skillsOf(others)), query)).toEqual(await answer(one, query));
      }),
    );
  });

  it('is the same after saving and loading, and after an update as when built anew', async () => {
    await fc.assert(
      fc.asyncProperty(library, library, fc.nat(4), text, async (before, after, kept, query) => {
        const old = createSkillIndex(skillsOf(before));
        const others = new Set(after.map(({ name }) => name));
        const skills = skillsOf([...after, ...before.slice(0, kept).filter(({ name }) => !others.has(name))]);
        const expected = await answer(createSkillIndex(skills), query);
        const saved = old.save();
        expect(await answer(createSkillIndex(skillsOf(before), { saved }), query)).toEqual(await answer(old, query));
        expect(await answer(old.update(skills), query)).toEqual(expected);
        expect(await answer(createSkillIndex(skills, { saved }), query)).toEqual(expected);
      }),
    );
  });

  it('loads a saved index from the buffer of a file', async () => {
    const saved = createSkillIndex(skillsOf([{ name: 'pdf', description: 'Reads PDF files.' }])).save();
    const file = Buffer.concat([Buffer.from('before'), saved]).subarray(6);
    expect(openDocuments(file)).toEqual(openDocuments(saved));
    expect(openDocuments(file)).toBeDefined();
  });

  it('takes the words of unchanged skills from a saved index, also after an update, but not from one of another version', () => {
    const pdf = fakeSkill('pdf', 'Fills forms.');
    const documents = openDocuments(createSkillIndex([pdf]).save());
    if (documents === undefined) throw new Error('no documents');
    // Other words than the skill has, so that it shows where they come from.
    const saved = saveDocuments({ ...documents, terms: documents.terms.map((term) => term.replace('form', 'garden')) });
    const older = Uint8Array.from(saved);
    older.set(
      new TextEncoder().encode('skillful-index-0'),
      new TextDecoder('latin1').decode(saved).indexOf('skillful'),
    );
    const index = createSkillIndex([pdf], { saved });
    const indexes = [
      index,
      index.update([fakeSkill('csv', 'Merges forms.'), pdf]),
      createSkillIndex([pdf], { saved: older }),
    ];
    const found = (query: string) => indexes.map((each) => each.search(query).map(({ skill }) => skill.name));
    expect([found('form'), found('garden')]).toEqual([
      [[], ['csv'], ['pdf']],
      [['pdf'], ['pdf'], []],
    ]);
  });

  it('ignores a saved index that is damaged', async () => {
    const skills = [fakeSkill('pdf', 'Fills forms.'), fakeSkill('csv', 'Merges tables.')];
    const saved = createSkillIndex(skills).save();
    const expected = await answer(createSkillIndex(skills), 'fill tables');
    await fc.assert(
      fc.asyncProperty(fc.nat(saved.length), fc.nat(255), async (at, byte) => {
        const cut = saved.slice(0, at);
        const changed = Uint8Array.from(saved, (old, index) => (index === at ? byte : old));
        // A file can have its length and no content after a power cut.
        const empty = Uint8Array.from(saved, (old, index) => (index < at ? old : 0));
        for (const damaged of [cut, changed, empty, new Uint8Array(at)]) {
          expect(await answer(createSkillIndex(skills, { saved: damaged }), 'fill tables')).toEqual(expected);
        }
      }),
    );
    expect(await answer(createSkillIndex(skills, { saved: saved.slice(1) }), 'fill tables')).toEqual(expected);
  });
});

describe('words', () => {
  const skills = [
    fakeSkill('git-hub-issues', 'Triages what parseJSONFile and HTTPServer report.'),
    fakeSkill('kubernetes', 'Deploys containers to a cluster.'),
    fakeSkill('resume', 'Schreibt einen Résumé für Bewerbungen.'),
    fakeSkill('fanyi', '用Python翻译技术文档'),
    fakeSkill('flights', 'လေယာဉ်လက်မှတ်များဝယ်ယူခြင်း'),
    fakeSkill('tables', 'Generates generators of tables.'),
  ];
  const find = (query: string) => createSkillIndex(skills).search(query);

  it.each([
    ['parts of camel case', 'json', ['git-hub-issues'], ['json']],
    ['the whole of camel case', 'PARSEJSONFILE', ['git-hub-issues'], ['PARSEJSONFILE']],
    ['an acronym before a word', 'http', ['git-hub-issues'], ['http']],
    ['a word without its accents', 'resume bewerbung', ['resume'], ['resume', 'bewerbung']],
    ['a word with its accents', 'Résumé', ['resume'], ['Résumé']],
    ['other forms of a word', 'generation', ['tables'], ['generation']],
    ['a typo', 'kuberntes', ['kubernetes'], ['kuberntes']],
    ['two swapped letters', 'tabels', ['tables'], ['tabels']],
    ['the beginning of a word', 'contain', ['kubernetes'], ['contain']],
    ['Latin words beside others', 'python', ['fanyi'], ['python']],
    ['a single character', '译', ['fanyi'], ['译']],
    ['pairs of characters', '技术', ['fanyi'], ['技术']],
    ['a word inside a text without spaces', 'လက်မှတ်', ['flights'], ['လက်', 'က်မှ', 'မှတ်']],
  ])('find by %s, and say why', (_, query, names, words) => {
    const found = find(query);
    expect(found.map(({ skill }) => skill.name)).toEqual(names);
    expect(found[0]?.words).toEqual(words);
  });

  it('say how well a skill answers', () => {
    const bands = (query: string) => find(query).map(({ skill, band }) => [skill.name, band]);
    expect(bands('deploy containers to a kubernetes cluster')).toEqual([['kubernetes', 'strong']]);
    expect(bands('containers of flour')).toEqual([['kubernetes', 'weak']]);
    expect(bands('containers of flour, sugar and butter')).toEqual([['kubernetes', 'none']]);
    expect(bands('wash the dishes, walk the dog and read a novel about containers')).toEqual([['kubernetes', 'none']]);
    // What may be a typo is no more than a guess, unless it is all that is asked.
    expect(bands('kuberntes')).toEqual([['kubernetes', 'weak']]);
    expect(bands('kuberntes pods')).toEqual([['kubernetes', 'none']]);
  });

  it('do not answer better because instructions of other skills have them, too', () => {
    const words = ['dishes', 'dogs', 'novels', 'flour', 'sugar'];
    const bodies = new Map(skills.map((skill, at) => [skill, words[at] ?? '']));
    const [first] = createSkillIndex(skills, { bodies }).search(`${words.join(' ')} containers`);
    expect([first?.skill.name, first?.band]).toEqual(['kubernetes', 'none']);
  });
});
