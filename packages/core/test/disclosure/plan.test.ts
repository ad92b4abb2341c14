import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createToolkit, estimateTokens, planCatalog, renderCatalog, type Skill } from '../../src/index.ts';
import { fakeCatalog, fakeSkill } from '../catalog/catalog-fixture.ts';

const catalog = fakeCatalog([
  fakeSkill('a', 'a'.repeat(200)),
  fakeSkill('b', 'b'.repeat(100)),
  fakeSkill('c', 'Short.'),
  fakeSkill('d', 'Kept from models.', { disableModelInvocation: true }),
]);

const summary = (options: Parameters<typeof planCatalog>[1]) =>
  planCatalog(catalog, options).skills.map(({ skill, showing, description, cut }) => [
    skill.name,
    showing,
    description.length,
    cut,
  ]);

describe('planCatalog', () => {
  it('shows everything in full if it fits', () => {
    expect(summary({})).toEqual([
      ['a', 'full', 200, undefined],
      ['b', 'full', 100, undefined],
      ['c', 'full', 6, undefined],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
  });

  it('shows an internal skill to those who have it in their project, but not from a package that they installed', () => {
    const own = fakeSkill('own', 'For contributors.', { internal: true });
    const installed = { ...own, source: { ...own.source, scope: 'package' } };
    const other = { ...installed, ...fakeSkill('other', 'For everyone.'), source: installed.source };
    const plans = [own, installed, other].map((skill) => planCatalog(fakeCatalog([skill])).skills[0]?.showing);
    expect(plans).toEqual(['full', 'hidden', 'full']);
  });

  it('cuts the longest descriptions first, and all that it cuts to one length', () => {
    const plan = planCatalog(catalog, { budget: { characters: 180 } });
    expect(plan.skills.map(({ showing, description, cut }) => [showing, description.length, cut])).toEqual([
      ['full', 78, 'budget'],
      ['full', 78, 'budget'],
      ['full', 6, undefined],
      ['hidden', 0, 'not-for-models'],
    ]);
    expect(plan.skills[0]?.description.endsWith('…')).toBe(true);
    expect(renderCatalog(plan).length).toBeLessThanOrEqual(180);
  });

  it('drops every description before it drops a name, and then the last names', () => {
    const names = renderCatalog(planCatalog(catalog, { show: () => 'name-only' }));
    expect(summary({ budget: { characters: names.length } })).toEqual([
      ['a', 'name-only', 0, 'budget'],
      ['b', 'name-only', 0, 'budget'],
      ['c', 'name-only', 0, 'budget'],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
    expect(summary({ budget: { characters: names.length - 1 } })[2]).toEqual(['c', 'deferred', 0, 'budget']);
  });

  it('lists no more entries than it may', () => {
    expect(summary({ budget: { count: 1 } })).toEqual([
      ['a', 'full', 200, undefined],
      ['b', 'deferred', 0, 'count'],
      ['c', 'deferred', 0, 'count'],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
  });

  it('says which limit dropped a name', () => {
    const names = renderCatalog(planCatalog(catalog, { show: () => 'name-only' }));
    const budget = { characters: names.length - 1, count: 3 };
    expect(summary({ budget })[2]).toEqual(['c', 'deferred', 0, 'budget']);
    expect(summary({ budget: { ...budget, count: 2 } })[2]).toEqual(['c', 'deferred', 0, 'count']);
  });

  it('keeps a pinned skill whole, whatever the budget and the limit of an entry', () => {
    const show = ({ name }: { name: string }) => (name === 'b' ? ('pinned' as const) : undefined);
    expect(summary({ show, descriptionLimit: 20 })[1]).toEqual(['b', 'pinned', 100, undefined]);
    expect(summary({ show, budget: { characters: 149 } })).toEqual([
      ['a', 'full', 26, 'budget'],
      ['b', 'pinned', 100, undefined],
      ['c', 'full', 6, undefined],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
    expect(summary({ show, budget: { characters: 9 } })).toEqual([
      ['a', 'deferred', 0, 'budget'],
      ['b', 'pinned', 100, undefined],
      ['c', 'deferred', 0, 'budget'],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
  });

  it('lists a pinned skill before others, wherever it is in the catalog', () => {
    const show = ({ name }: { name: string }) => (name === 'c' ? ('pinned' as const) : undefined);
    expect(summary({ show, budget: { count: 1 } })).toEqual([
      ['a', 'deferred', 0, 'count'],
      ['b', 'deferred', 0, 'count'],
      ['c', 'pinned', 6, undefined],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
  });

  it('follows the choice of the application for single skills', () => {
    const show = ({ name }: { name: string }) =>
      ({ a: 'name-only' as const, b: 'deferred' as const, c: 'hidden' as const })[name];
    expect(summary({ show })).toEqual([
      ['a', 'name-only', 0, 'choice'],
      ['b', 'deferred', 0, 'choice'],
      ['c', 'hidden', 0, 'choice'],
      ['d', 'hidden', 0, 'not-for-models'],
    ]);
  });

  it.each([
    ['hide', '`hide`'],
    [true, 'a value of type boolean'],
    [Promise.resolve('hidden'), 'a promise'],
  ])('refuses a choice that is none, because it would show the skill: %j', (choice, given) => {
    const message = `\`show(skill)\` must be one of pinned, full, name-only, deferred, hidden, not ${given}.`;
    const show = () => choice as 'hidden';
    expect(() => summary({ show })).toThrow(expect.objectContaining({ code: 'options-invalid', message }));
  });

  it('cuts a description at the limit of an entry, in code points', () => {
    const plan = planCatalog(fakeCatalog([fakeSkill('x', '😀'.repeat(30))]), { descriptionLimit: 20 });
    expect(plan.skills.map(({ description, cut }) => [description, cut])).toEqual([
      [`${'😀'.repeat(19)}…`, 'entry-limit'],
    ]);
  });

  it.each([' ', '\u200c'])('ends no cut description with %j', (loose) => {
    const letters = 'ب'.repeat(18);
    const plan = planCatalog(fakeCatalog([fakeSkill('x', letters + loose + letters)]), { descriptionLimit: 20 });
    expect(plan.skills[0]?.description).toBe(`${letters}…`);
  });

  it.each([
    ['แจ้งหนี้และส่งให้ลูกค้าทางอีเมล สำหรับการเรียกเก็บเงิน'],
    ['चालान बनाता है और ईमेल से भेजता है, सभी के लिए'],
    ['회의록을 작성하고 결정 사항을 정리합니다'.normalize('NFD')],
    ['Größere Prüfberichte für ältere Anhänger'.normalize('NFD')],
    ['Family: 👨‍👩‍👧‍👦 and 🤷🏽‍♀️ and 👍🏽'],
    ['Flags: 🇯🇵🇩🇪🇫🇷🇮🇹🇪🇸🇯🇵🇩🇪🇫🇷🇮🇹🇪🇸'],
    ['विद्यार्थी कर्मचारियों के लिए चालान बनाता है'],
  ])('cuts %s between whole characters', (description) => {
    const whole = [...new Intl.Segmenter().segment(description)].map(({ index }) => description.slice(0, index));
    for (let descriptionLimit = 16; descriptionLimit < [...description].length; descriptionLimit += 1) {
      const plan = planCatalog(fakeCatalog([fakeSkill('x', description)]), { descriptionLimit });
      const shown = plan.skills[0]?.description.slice(0, -1);
      expect(whole.map((text) => text.trimEnd())).toContain(shown);
    }
  });

  it.each([[{}], [undefined]])('cuts between code points if `Intl` is %j', (intl) => {
    vi.stubGlobal('Intl', intl);
    onTestFinished(() => void vi.unstubAllGlobals());
    const plan = planCatalog(fakeCatalog([fakeSkill('x', '👨‍👩‍👧‍👦'.repeat(9))]), { descriptionLimit: 20 });
    expect(plan.skills[0]?.description.length).toBeGreaterThan(16);
  });

  it('shows no description of which not one character fits', () => {
    const plan = planCatalog(fakeCatalog([fakeSkill('x', '\u0301'.repeat(40))]), { descriptionLimit: 20 });
    expect(plan.skills.map(({ showing, description }) => [showing, description])).toEqual([['name-only', '']]);
  });

  it('adds when to use a skill to what it does', () => {
    const plan = planCatalog(fakeCatalog([fakeSkill('x', 'Does x.', { whenToUse: 'Use for y.' })]));
    expect(plan.skills[0]?.description).toBe('Does x. Use for y.');
  });

  it('counts with the given tokenizer', () => {
    const plan = planCatalog(catalog, { budget: { tokens: 300 }, countTokens: (text) => text.length });
    expect(plan.tokens).toBe(renderCatalog(plan).length);
    expect(plan.tokens).toBeLessThanOrEqual(300);
  });

  it.each([
    ['a promise', async (text: string) => text.length],
    ['NaN', () => Number.NaN],
    ['a value of type string', (text: string) => String(text.length)],
  ])('refuses a tokenizer that returns %s, which would leave out every skill', (given, count) => {
    const countTokens = count as unknown as (text: string) => number;
    const message = `\`countTokens\` must return a number from 0, not ${given}.`;
    const error = expect.objectContaining({ code: 'options-invalid', message });
    expect(() => summary({ countTokens })).toThrow(error);
  });

  it('refuses a tokenizer that is not a function', () => {
    const countTokens = 'o200k_base' as unknown as () => number;
    const message = '`countTokens` must be a function, not a value of type string.';
    expect(() => summary({ countTokens })).toThrow(expect.objectContaining({ code: 'options-invalid', message }));
    expect(() => createToolkit(catalog, { plan: { countTokens } })).toThrow(message);
  });

  it('costs what its text costs and keeps its limits, whatever the entries contain', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '&',
        '<',
        '>',
        '"',
        "'",
        '\\',
        '[INST]',
        '[/INST',
        '```',
        '~~~~',
        ' ',
        '…',
        '\u200d',
        '😀',
        '字',
        'ü',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('word ', 'a', 'Longer words of prose. '),
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    const plans = fc.record({
      format: fc.constantFrom('markdown', 'xml', 'json'),
      locations: fc.boolean(),
      descriptionLimit: fc.constantFrom(1, 20, 100, 1_536),
      budget: fc.record({ tokens: fc.nat(600), characters: fc.nat(2_400), count: fc.nat(8) }, { requiredKeys: [] }),
    });
    const showings = fc.array(fc.constantFrom('pinned', 'name-only', 'deferred', 'hidden', undefined), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), plans, showings, (entries, options, shown) => {
        const skills = entries.map(([name, description]) => fakeSkill(name, description));
        const show = (skill: Skill) => shown[skills.indexOf(skill)];
        const plan = planCatalog(fakeCatalog(skills), { ...options, show });
        expect(plan.tokens).toBe(estimateTokens(renderCatalog(plan)));
        const { tokens, characters } = options.budget;
        if (shown.includes('pinned') || tokens === undefined || characters === undefined) return;
        expect(plan.tokens).toBeLessThanOrEqual(tokens);
        expect(renderCatalog(plan).length).toBeLessThanOrEqual(characters);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['markdown', 'xml', 'json'] as const)('finds in %s the length that a search from the top finds', (format) => {
    const words = ['Reads "forms" & <tables>. ', 'Überträgt Zahlen. ', '表を読む。', 'Draws. '];
    const skills = words.map((text, index) => fakeSkill(`skill-${index}`, text.repeat(5 + 3 * index).trim()));
    const longest = Math.max(...skills.map(({ description }) => description.length));
    for (let characters = 200; characters < 900; characters += 7) {
      const plan = planCatalog(fakeCatalog(skills), { format, budget: { characters } });
      const lengths = Array.from({ length: longest + 1 }, (_, index) => longest - index);
      const fitting = lengths.find((limit) => {
        const cut = planCatalog(fakeCatalog(skills), { format, descriptionLimit: limit, budget: {} });
        return renderCatalog(cut).length <= characters;
      });
      const expected = planCatalog(fakeCatalog(skills), { format, descriptionLimit: fitting, budget: {} });
      expect(renderCatalog(plan)).toBe(renderCatalog(expected));
    }
  });

  it('stays within its budget, shows more for a larger one, and is the same each time', () => {
    const skills = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 12 }), fc.string({ maxLength: 400 })), {
      maxLength: 12,
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(skills, fc.nat(1200), fc.nat(300), (entries, tokens, more) => {
        const some = fakeCatalog(entries.map(([name, description]) => fakeSkill(name, description)));
        const plan = planCatalog(some, { budget: { tokens } });
        expect(estimateTokens(renderCatalog(plan))).toBeLessThanOrEqual(tokens);
        expect(planCatalog(some, { budget: { tokens } })).toEqual(plan);
        const larger = planCatalog(some, { budget: { tokens: tokens + more } });
        const listed = ({ skills }: typeof plan) => skills.filter(({ showing }) => showing !== 'deferred').length;
        expect(listed(larger)).toBeGreaterThanOrEqual(listed(plan));
        // A name that finds room takes it from the descriptions; as long as the names are the same, these only grow.
        if (listed(larger) > listed(plan)) return;
        for (const [index, { description }] of plan.skills.entries()) {
          expect(larger.skills[index]?.description.length).toBeGreaterThanOrEqual(description.length - 1);
        }
      }),
    );
  });

  it('plans 100,000 skills within a budget, and names those that are left', () => {
    const many = fakeCatalog(
      Array.from({ length: 100_000 }, (_, index) => fakeSkill(`skill-${index}`, 'Does something.')),
    );
    const plan = planCatalog(many, { budget: { tokens: 8_000 } });
    const listed = plan.skills.filter(({ showing }) => showing === 'name-only').length;
    expect(plan.tokens).toBeLessThanOrEqual(8_000);
    expect(plan.skills.filter(({ showing }) => showing === 'deferred').length).toBe(100_000 - listed);
  });
});
