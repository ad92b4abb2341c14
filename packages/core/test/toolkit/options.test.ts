import { describe, expect, it } from 'vitest';
import {
  createToolkit,
  loadCatalog,
  type MessageView,
  memorySource,
  type SkillContext,
  type SkillEvent,
  type SkillProperties,
} from '../../src/index.ts';
import { fakeCatalog, fakeSkill } from '../catalog/catalog-fixture.ts';

const catalogOf = (...names: readonly string[]) => fakeCatalog(names.map((name) => fakeSkill(name, `Does ${name}.`)));
const skillFile = (name: string, body: string): string => `---\nname: ${name}\ndescription: D.\n---\n${body}\n`;
const withProperties = (properties: Partial<SkillProperties>) => fakeCatalog([fakeSkill('a', 'D.', properties)]);

describe('a catalog that is found per request', () => {
  const tenants = new Map([
    ['north', catalogOf('a')],
    ['none', catalogOf()],
  ]);
  const toolkit = createToolkit(({ request }: SkillContext) => tenants.get(String(request)) ?? catalogOf('other'));

  it('registers every tool that may be needed, and discloses those that are', async () => {
    expect(toolkit.tools.map(({ name }) => name)).toEqual([
      'activate_skill',
      'read_skill_resource',
      'list_skill_resources',
      'find_skills',
    ]);
    const disclosed = async (request: string) => {
      const { hiddenTools } = await toolkit.prepare([], { request });
      return toolkit.tools.map(({ name }) => name).filter((name) => !hiddenTools.includes(name));
    };
    expect(await disclosed('north')).toEqual(['activate_skill', 'read_skill_resource', 'list_skill_resources']);
    expect(await disclosed('none')).toEqual([]);
  });

  it('keeps requests apart, also when a skill is activated', async () => {
    const [activate] = toolkit.tools;
    expect((await activate?.execute({ name: 'a' }, { request: 'south' }))?.text).toBe(
      'No skill `a`. Available: `other`.',
    );
    expect((await activate?.execute({ name: 'a' }, { request: 'none' }))?.text).toBe(
      'No skill `a`. There are no skills.',
    );
  });

  it('accepts arguments, because a skill of some request may', () => {
    expect(Object.keys(toolkit.tools[0]?.inputSchema.properties ?? {})).toEqual(['name', 'arguments']);
  });

  it('cannot be in the description of a tool', () => {
    expect(() => createToolkit(() => catalogOf('a'), { placement: 'tool' })).toThrow(
      "`placement: 'tool'` needs a fixed catalog and policy, but `createToolkit` was given a function. Use `placement: 'system'`.",
    );
  });
});

describe('the tools', () => {
  it('accept arguments only if a skill does', () => {
    const keys = (properties: Partial<SkillProperties>) =>
      Object.keys(createToolkit(withProperties(properties)).tools[0]?.inputSchema.properties ?? {});
    expect([keys({}), keys({ arguments: ['who'] }), keys({ argumentHint: '[who]' })]).toEqual([
      ['name'],
      ['name', 'arguments'],
      ['name', 'arguments'],
    ]);
  });

  it('contain the catalog instead of the prompt on request', async () => {
    const toolkit = createToolkit(catalogOf('a', 'b'), { placement: 'tool' });
    expect((await toolkit.prepare([])).system).toBe('');
    const shown = ({ tools }: typeof toolkit) => tools[0]?.description.split('\n\n').slice(1);
    expect(shown(toolkit)).toEqual(['- a: Does a.\n- b: Does b.']);
    const plan = { budget: { count: 1 } };
    expect(shown(createToolkit(catalogOf('a', 'b'), { placement: 'tool', plan }))).toEqual([
      '- a: Does a.',
      '1 skill is not listed. Find unlisted skills with find_skills.',
    ]);
  });

  it('include one to read if a text may be cut, even if only a body is long', async () => {
    const body = 'word\n'.repeat(5_000);
    const catalog = await loadCatalog([memorySource({ 'a/SKILL.md': skillFile('a', body) })]);
    const names = (tokensPerSkill: number) =>
      createToolkit(catalog, { reattach: { tokensPerSkill } }).tools.map(({ name }) => name);
    expect(names(5_000)).toEqual(['activate_skill', 'read_skill_resource']);
    expect(names(10_000)).toEqual(['activate_skill']);
  });

  it.each([
    [{ activate: 'x', read: 'x' }, '`toolNames` uses `x` twice. Give each tool a name of its own.'],
    [{ find: 'activate_skill' }, '`toolNames` uses `activate_skill` twice. Give each tool a name of its own.'],
    [
      { list: '' },
      '`toolNames` has the name ``. Write 1 to 128 letters, digits, `_`, `-` or `.`, because providers refuse',
    ],
    [{ list: 'list skills' }, '`toolNames` has the name `list skills`. Write 1 to 128 letters'],
    [{ list: 'l'.repeat(129) }, 'Write 1 to 128 letters'],
  ])('cannot share a name or have none: %j', (toolNames, message) => {
    expect(() => createToolkit(catalogOf('a'), { toolNames })).toThrow(message);
  });

  it('keep their names if none is given, for example by a variable that is not set', () => {
    const { tools } = createToolkit(catalogOf('a'), { toolNames: { activate: undefined } });
    expect(tools.map(({ name }) => name)).toContain('activate_skill');
  });

  it.each([
    [{ mode: 'prompt' }, '`mode` must be one of tool, awareness, direct, not `prompt`.'],
    [{ placement: 'user' }, '`placement` must be one of system, tool, not `user`.'],
    [{ plan: { format: 'yaml' } }, '`format` must be one of markdown, xml, json, not `yaml`.'],
    [
      { toolNames: { finds: 'search' } },
      '`toolNames` has the unknown key `finds`; expected one of activate, read, files, find, list, deactivate, run.',
    ],
    [{ tools: { run: true } }, '`tools` has the unknown key `run`; expected one of find, list, files, deactivate.'],
    [{ tools: ['find'] }, '`tools` must be an object, not a list.'],
    [
      { allowedTools: { moed: 'restrict' } },
      '`allowedTools` has the unknown key `moed`; expected one of mode, names, always.',
    ],
    [{ consent: { remember: 'yes' } }, '`consent.remember` must be true or false, not `yes`.'],
    [{ consent: { stor: {} } }, '`consent` has the unknown key `stor`; expected one of store, remember, timeout.'],
    [
      { plan: { budget: { token: 1 } } },
      '`plan.budget` has the unknown key `token`; expected one of tokens, characters, count.',
    ],
    [{ plan: { budgets: {} } }, '`plan` has the unknown key `budgets`; expected one of budget, format,'],
    [{ reattach: { token: 1 } }, '`reattach` has the unknown key `token`; expected one of tokens, tokensPerSkill.'],
    [{ polcy: {} }, '`options` has the unknown key `polcy`; expected one of mode, placement,'],
    [
      { resourceDirectories: 'references' },
      '`resourceDirectories` must be a list of texts, not a value of type string.',
    ],
    [{ preload: 'a' }, '`preload` must be a list of texts, not a value of type string.'],
    [{ mentions: { dolar: false } }, '`mentions` has the unknown key `dolar`; expected one of slash, dollar.'],
    [{ unlocks: null }, '`unlocks` must be an object, not null.'],
    [{ onEvent: {} }, '`onEvent` must be a function, not a value of type object.'],
    [{ createIndex: {} }, '`createIndex` must be a function, not a value of type object.'],
  ])('refuses an option that would be ignored: %j', (options: object, message) => {
    expect(() => createToolkit(catalogOf('a'), options)).toThrow(message);
  });

  it('are not there to search or end skills if the model activates none', () => {
    const tools = { find: true, list: true, deactivate: true };
    for (const mode of ['direct', 'awareness'] as const)
      expect(createToolkit(catalogOf('a'), { mode, tools }).tools.map(({ name }) => name)).not.toContainEqual(
        expect.stringMatching(/find|list_skills|activate/),
      );
  });

  it('spell out names as they are shown, and accept them', async () => {
    const name = 'a\u200db&c';
    const toolkit = createToolkit(fakeCatalog([fakeSkill(name, 'D.')]));
    const [activate] = toolkit.tools;
    expect(activate?.inputSchema.properties['name']?.enum).toEqual(['ab&c']);
    for (const shown of ['ab&c', 'ab&amp;c']) {
      expect((await activate?.execute({ name: shown }))?.details).toEqual({
        kind: 'refusal',
        code: 'skill-unreadable',
      });
    }
  });
});

describe('correctCall', () => {
  const toolkit = createToolkit(catalogOf('csv-report', 'do it', 'do-it', '技能'));
  const recover = async (name: string) => (await toolkit.correctCall({ name, input: { x: 1 } }))?.input;

  it.each([
    ['csv-report', 'csv-report'],
    ['csv_report', 'csv-report'],
    ['CSV_Report', 'csv-report'],
    ['do-it', 'do-it'],
    ['do it', 'do it'],
    ['技能', '技能'],
  ])('understands %s', async (name, skill) => {
    expect(await recover(name)).toEqual({ name: skill });
  });

  it.each(['do_it', 'csv', '工具', '_', '', 'toString', '__proto__'])('leaves %j alone', async (name) => {
    expect(await recover(name)).toBeUndefined();
  });

  it.each([
    [['activate_skill', 'lookup'], { name: 'csv-report' }],
    [['activate_skill', 'csv_report'], undefined],
    [['lookup'], undefined],
  ])('corrects a call only to a tool that the model has, from one that it has not: %j', async (offered, input) => {
    expect((await toolkit.correctCall({ name: 'csv_report', input: {} }, { offered }))?.input).toEqual(input);
  });

  it('keeps the arguments, if skills take some', async () => {
    const call = { name: 'a', input: '{"arguments":"tax.pdf","x":1}' };
    const taking = createToolkit(withProperties({ argumentHint: '[file]' }));
    expect((await taking.correctCall(call))?.input).toEqual({ name: 'a', arguments: 'tax.pdf' });
    expect((await createToolkit(catalogOf('a')).correctCall(call))?.input).toEqual({ name: 'a' });
    for (const [input, given] of [
      [{ file: 'tax.pdf' }, 'tax.pdf'],
      [{ page: 7 }, '7'],
      [{ args: ['a', 'b'] }, '["a","b"]'],
      [{ file: 'a', page: 7 }, '{"file":"a","page":7}'],
      [{}, undefined],
      ['{"fi', undefined],
      [{ arguments: null, file: '' }, undefined],
      [{ input: {}, name: 'a' }, undefined],
      [{ arguments: ['a', 'b'], x: 1 }, '["a","b"]'],
    ])
      expect((await taking.correctCall({ name: 'a', input }))?.input).toEqual({
        name: 'a',
        ...(given !== undefined && { arguments: given }),
      });
  });

  it('puts named arguments where the skill declares them', async () => {
    const taking = createToolkit(withProperties({ arguments: ['file', 'page'] }));
    for (const [input, given] of [
      [{ page: 7, file: 'a "b".pdf' }, `"a "'"'"b"'"'".pdf" 7`],
      [{ file: 'a b.pdf' }, '"a b.pdf"'],
      [{ page: 7 }, '"" 7'],
      [{ file: 'a', side: 'b' }, '{"file":"a","side":"b"}'],
    ] as const)
      expect((await taking.correctCall({ name: 'a', input }))?.input).toEqual({ name: 'a', arguments: given });
  });

  it('does not know what is kept from models', async () => {
    const manual = createToolkit(withProperties({ disableModelInvocation: true }));
    expect(await manual.correctCall({ name: 'a', input: {} })).toBeUndefined();
  });
});

describe('baseline', () => {
  it('keeps the text that a conversation began with, and announces changes after it', async () => {
    const [before, after] = [catalogOf('a', 'b'), catalogOf('a', 'c')];
    let now = before;
    const toolkit = createToolkit(() => now, { baseline: () => before });
    const { system: first } = await toolkit.prepare([]);
    now = after;
    const { system: second } = await toolkit.prepare([]);
    expect(second.startsWith(`${first}\n\n`)).toBe(true);
    const change = second.slice(first.length + 2);
    expect(change).toMatch(/^The skills have changed\. This list supersedes every earlier one\.\n\n- a: /);
    expect([change.includes('\n- c: '), change.includes('\n- b: ')]).toEqual([true, false]);
    expect((await toolkit.tools[0]?.execute({ name: 'b' }))?.text).toBe('No skill `b`. Did you mean `a` or `c`?');
    now = catalogOf();
    expect((await toolkit.prepare([])).system).toBe('');
  });

  it('keeps the text if only one of the two catalogs fits the budget, and then offers find_skills', async () => {
    const [few, many] = [catalogOf('a'), catalogOf('a', 'b', 'c')];
    for (const [before, after] of [
      [few, many],
      [many, few],
    ]) {
      let now = before;
      const toolkit = createToolkit(() => now ?? few, { baseline: () => before, plan: { budget: { count: 1 } } });
      const { system: first } = await toolkit.prepare([]);
      now = after;
      const { system: second, hiddenTools } = await toolkit.prepare([]);
      expect({ isKept: second.startsWith(first), hiddenTools }).toEqual({
        isKept: true,
        hiddenTools: expect.not.arrayContaining(['find_skills']),
      });
    }
  });
});

it('says where each skill is if the plan says so', async () => {
  const { system } = await createToolkit(catalogOf('a'), { plan: { locations: true } }).prepare([]);
  expect(system).toMatch(/\n- a \([^ ]*SKILL\.md\): /);
});

it('counts only what a model reads, because tokenizers throw for control tokens', async () => {
  const token = '<|endoftext|>';
  const source = memorySource({
    'a/SKILL.md': `---\nname: a\ndescription: "${token} ${'x '.repeat(600)}"\n---\n${token} ${'y '.repeat(500)}\n`,
    'a/notes.md': `${token}\n`,
  });
  const countTokens = (text: string): number => {
    if (text.includes(token)) throw new Error(`The text contains a special token that is not allowed: ${token}`);
    return text.length;
  };
  const events: SkillEvent['type'][] = [];
  const toolkit = createToolkit(await loadCatalog([source]), {
    plan: { countTokens, budget: { tokens: 700 } },
    tools: { find: true, list: true },
    reattach: { tokensPerSkill: 100 },
    onEvent: ({ type }) => events.push(type),
  });
  const { state } = await toolkit.prepare([{ key: '1', role: 'user', text: `/a ${token}` }]);
  const { edits } = await toolkit.prepare([{ key: '2', role: 'user', text: 'Go on.' }], { state });
  expect(edits).toHaveLength(1);
  const inputs = { name: 'a', skill: 'a', path: 'notes.md', query: token };
  for (const { name, inputSchema, execute } of toolkit.tools) {
    const own = Object.entries(inputs).filter(([key]) => key in inputSchema.properties);
    const { isError } = await execute(Object.fromEntries(own), { state });
    expect([name, isError]).toEqual([name, false]);
  }
  expect(events).toContain('cut');
});

describe('onEvent', () => {
  it('reports what was offered and what the budget cut, with tokens', async () => {
    const events: SkillEvent[] = [];
    const others = ['b', 'c', 'later'].map((name) => fakeSkill(name, 'Short.'));
    const toolkit = createToolkit(fakeCatalog([fakeSkill('a', 'a'.repeat(400)), ...others]), {
      plan: { budget: { tokens: 60, count: 2 }, show: ({ name }) => (name === 'later' ? 'deferred' : undefined) },
      onEvent: (event) => events.push(event),
    });
    await toolkit.prepare([]);
    expect(events).toEqual([
      { type: 'offered', skills: 2, tokens: expect.any(Number) },
      { type: 'cut', skill: 'a', reason: 'budget', tokens: expect.any(Number) },
      { type: 'cut', skill: 'c', reason: 'count', tokens: 2 },
    ]);
    const [offered, cut] = events;
    expect([offered?.tokens ?? 0, cut?.tokens ?? 0].every((tokens) => tokens > 20 && tokens <= 60)).toBe(true);
  });

  it('counts the description and when to use a skill, of which the limit for descriptions cut a part', async () => {
    const events: SkillEvent[] = [];
    const skill = fakeSkill('a', 'Short.', { whenToUse: 'x'.repeat(2_000) });
    await createToolkit(fakeCatalog([skill]), { onEvent: (event) => events.push(event) }).prepare([]);
    expect(events[1]).toEqual({ type: 'cut', skill: 'a', reason: 'entry-limit', tokens: 117 });
  });

  it('does not count with the given tokenizer what was cut, because that would take seconds', async () => {
    let counts = 0;
    const countTokens = (text: string): number => {
      counts += 1;
      return text.length;
    };
    const plan = { budget: { count: 1 }, countTokens };
    const all = catalogOf('a', 'b', 'c');
    createToolkit(all, { plan });
    const planned = counts;
    counts = 0;
    await createToolkit(all, { plan, onEvent: () => {} }).prepare([]);
    expect(counts).toBe(planned);
  });

  it('reports what was offered for each model call, and what was cut once for each catalog', async () => {
    const events: SkillEvent['type'][] = [];
    const [small, large] = [catalogOf('a', 'b'), catalogOf('a', 'b', 'c')];
    const toolkit = createToolkit(({ request }: SkillContext) => (request === 'small' ? small : large), {
      plan: { budget: { count: 1 } },
      onEvent: ({ type }) => events.push(type),
    });
    for (const request of ['small', 'small', 'large', 'small']) await toolkit.prepare([], { request });
    expect(events).toEqual(['offered', 'cut', 'offered', 'offered', 'cut', 'cut', 'offered']);
  });

  it('lets an error of the application through', async () => {
    const onEvent = (): never => {
      throw new Error('full');
    };
    await expect(createToolkit(catalogOf('a'), { onEvent }).prepare([])).rejects.toThrow('full');
  });

  it('tells the model that a tool failed if it also throws for the event that says so', async () => {
    const source = memorySource({ 'a/SKILL.md': skillFile('a', 'Body.') });
    const onEvent = (): never => {
      throw new Error('full');
    };
    const [activate] = createToolkit(await loadCatalog([source]), { onEvent }).tools;
    const { isError, text } = (await activate?.execute({ name: 'a' })) ?? {};
    expect([isError, text]).toEqual([true, expect.stringMatching(/^activate_skill failed for a technical reason/)]);
  });
});

describe('a toolkit whose only skills are for users', () => {
  it('says nothing to the model, and lets it read the files of what a user activated', async () => {
    const files = {
      'a/SKILL.md': '---\nname: a\ndescription: D.\ndisable-model-invocation: true\n---\nBody.\n',
      'a/b.md': 'B',
    };
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]));
    expect(toolkit.tools.map(({ name }) => name)).toEqual(['read_skill_resource', 'list_skill_resources']);
    expect((await toolkit.prepare([])).system).toBe('');
    const messages: readonly MessageView[] = [{ key: '1', role: 'user', text: '/a' }];
    expect((await toolkit.prepare(messages)).edits).toEqual([{ key: '1', append: expect.stringContaining('Body.') }]);
    const read = (context?: SkillContext) => toolkit.tools[0]?.execute({ skill: 'a', path: 'b.md' }, context);
    expect((await read())?.isError).toBe(true);
    expect((await read({ messages }))?.isError).toBe(false);
  });
});

describe('preload', () => {
  it('refuses a name that a fixed catalog lacks, and ignores it if the catalog is found per request', async () => {
    const preload = ['a', 'missing'];
    expect(() => createToolkit(catalogOf('a'), { preload })).toThrow(
      '`preload` names `missing`, but the catalog has no such skill.',
    );
    expect(() => createToolkit(catalogOf('report'), { preload: ['raport'] })).toThrow(
      '`preload` names `raport`, but the catalog has no such skill. Did you mean `report`?',
    );
    const toolkit = createToolkit(() => catalogOf('a'), { preload });
    expect(await toolkit.active([])).toEqual([{ name: 'a', by: 'code' }]);
  });

  it('activates a skill once that it names more than once', async () => {
    const toolkit = createToolkit(catalogOf('a', 'b'), { preload: ['a', 'b', 'A', 'a'] });
    expect((await toolkit.active([])).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('the names that the activation tool spells out', () => {
  const enumOf = (options: Parameters<typeof createToolkit>[1]) =>
    createToolkit(catalogOf('a', 'b'), options).tools[0]?.inputSchema.properties.name?.enum;

  it('are all of them, or none if some are left to the search', () => {
    expect(enumOf({})).toEqual(['a', 'b']);
    expect(enumOf({ plan: { show: ({ name }) => (name === 'b' ? 'deferred' : undefined) } })).toBeUndefined();
  });
});

it.each([
  [{ about: 'north' }, '`about` must be an object, not a value of type string.'],
  [
    { mentoins: false },
    '`options` has the unknown key `mentoins`; expected one of mentions, asks, about, outputs, memory.',
  ],
  [{ asks: 'no' }, '`asks` must be true or false, not `no`.'],
  [{ mentions: { dolar: false } }, '`mentions` has the unknown key `dolar`; expected one of slash, dollar.'],
  [{ outputs: 'all' }, '`outputs` must be one of redacted, full, not `all`.'],
])('assertOptions refuses options of an adapter that would be ignored: %j', async (options, message) => {
  const { assertOptions } = createToolkit(await loadCatalog([]));
  const error = expect.objectContaining({ code: 'options-invalid', message });
  expect(() => assertOptions(options as object, ['memory'])).toThrow(error);
});

it('assertOptions accepts what all adapters share, and the names of others', async () => {
  const { assertOptions } = createToolkit(await loadCatalog([]));
  const shared = { mentions: { dollar: false }, about: { tenant: 'north' }, outputs: 'full' } as const;
  expect(() => assertOptions({ ...shared, ...{ memory: undefined } }, ['memory'])).not.toThrow();
});

it('assertOptions accepts the keys of a framework in a call, but none that is spelt nearly like an option', async () => {
  const { assertOptions } = createToolkit(await loadCatalog([]));
  const call = { mentions: false, runtime: {}, modelSettings: {}, responseFormat: undefined };
  expect(() => assertOptions(call, ['streamEvents'], 'call')).not.toThrow();
  const misspelt = { ...call, streamEvent: true };
  expect(() => assertOptions(misspelt, ['streamEvents'], 'call')).toThrow('has the unknown key `streamEvent`;');
});
