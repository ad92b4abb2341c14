import { describe, expect, it } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  type MessageView,
  memorySource,
  type PolicyRule,
  type SkillEvent,
  type SkillPolicy,
  type SkillTool,
  type SkillToolkit,
} from '../../src/index.ts';

const files = {
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Fills forms.\n---\nFill the form.',
  'pdf/form.md': 'A form.',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nWrite the mail.',
};
const catalog = await loadCatalog([memorySource(files)]);

function toolkitWith(...rules: readonly PolicyRule[]) {
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(catalog, {
    policy: definePolicy({ rules }),
    tools: { find: true, list: true },
    onEvent: (event) => events.push(event),
  });
  return { toolkit, events };
}

function tool({ tools }: SkillToolkit, name: string): SkillTool {
  const found = tools.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

const user = (text: string): MessageView => ({ key: 'u1', role: 'user', text });

it.each<[unknown, string]>([
  [{ rules: [{ effect: 'Deny' }] }, 'Rule 1 has the effect `Deny`, which does not exist. Did you mean `deny`?'],
  [{ rules: [{ skil: 'pdf', effect: 'deny' }] }, 'Rule 1 has `skil`, which does not exist. Did you mean `skill`?'],
  [{}, '`rules` must be a list, not undefined.'],
  [null, 'A policy must be an object, not null.'],
])('refuses the policy %j, which nobody has checked', async (given, message) => {
  const policy = given as SkillPolicy;
  const error = expect.objectContaining({ code: 'options-invalid', message });
  expect(() => createToolkit(catalog, { policy })).toThrow(error);
  await expect(createToolkit(catalog, { policy: () => policy }).prepare([])).rejects.toEqual(error);
});

describe('a skill that is denied to the model', () => {
  const rule = { skill: 'pdf', actor: 'model', effect: 'deny' } as const;

  it('is in no text, no schema, no search, no suggestion and no event', async () => {
    const { toolkit, events } = toolkitWith(rule);
    const { system } = await toolkit.prepare([user('Hello.')]);
    const answers = await Promise.all([
      tool(toolkit, 'find_skills').execute({ query: 'pdf forms' }),
      tool(toolkit, 'list_skills').execute({}),
      tool(toolkit, 'activate_skill').execute({ name: 'pdd' }),
    ]);
    const seen = JSON.stringify([system, toolkit.tools, answers.map(({ text }) => text), events]);
    expect(seen).toContain('mail');
    expect(seen.replaceAll('"pdf forms"', '')).not.toMatch(/pdf|Fills forms/);
  });

  it('is unknown to its tools', async () => {
    const { toolkit } = toolkitWith(rule);
    for (const name of ['pdf', 'project:pdf', 'PDF']) {
      const { text, details } = await tool(toolkit, 'activate_skill').execute({ name });
      expect(details).toEqual({ kind: 'refusal', code: 'skill-unknown' });
      expect(text).not.toContain('Fill the form.');
    }
    const read = await tool(toolkit, 'read_skill_resource').execute({ skill: 'pdf', path: 'form.md' });
    expect(read.details).toEqual({ kind: 'refusal', code: 'skill-unknown' });
    expect(await toolkit.correctCall({ name: 'pdf', input: {} })).toBeUndefined();
  });

  it('can be activated by a user, and then the model may read its files if the rule does not name that', async () => {
    const { toolkit } = toolkitWith({ ...rule, action: ['list', 'activate'] });
    const messages = [user('/pdf')];
    const { edits, active, state } = await toolkit.prepare(messages);
    expect(edits).toEqual([{ key: 'u1', append: expect.stringContaining('Fill the form.') }]);
    expect(active).toEqual([expect.objectContaining({ name: 'pdf', by: 'user' })]);
    const read = await tool(toolkit, 'read_skill_resource').execute(
      { skill: 'pdf', path: 'form.md' },
      { messages, state },
    );
    expect(read.text).toContain('A form.');
  });

  it('stays out although a conversation contains its very text', async () => {
    const before = await createToolkit(catalog).tools[0]?.execute({ name: 'pdf' });
    const { toolkit } = toolkitWith(rule);
    const result = { id: 'c1', tool: 'activate_skill', text: before?.text ?? '' };
    const { active } = await toolkit.prepare([user('Hello.'), { key: 't1', role: 'tool', results: [result] }]);
    expect(active).toEqual([]);
  });

  it('is unknown by its qualified name although another skill has its name', async () => {
    const other = memorySource({ 'pdf/SKILL.md': files['pdf/SKILL.md'] }, { id: 'other', scope: 'user' });
    const both = await loadCatalog([memorySource(files, { id: 'own', scope: 'project' }), other]);
    const policy = definePolicy({ rules: [{ ...rule, skill: '*', source: 'other' }] });
    const activate = tool(createToolkit(both, { policy }), 'activate_skill');
    expect((await activate.execute({ name: 'project:pdf' })).isError).toBe(false);
    expect((await activate.execute({ name: 'user:pdf' })).details).toEqual({ kind: 'refusal', code: 'skill-unknown' });
  });

  it('is denied by `list` as well as by `activate`', async () => {
    const { toolkit } = toolkitWith({ ...rule, action: 'list' });
    expect((await tool(toolkit, 'activate_skill').execute({ name: 'pdf' })).isError).toBe(true);
  });
});

it.each(['DEPLOY-prod', 'deploy\u2010prod', 'deploy-\u200bprod', '\uff44eploy-prod', 'depl\u043ey-prod'])(
  'F16: a spelling of a denied name does not come past the rule: %j',
  async (name) => {
    const text = `---\nname: ${name}\ndescription: d\n---\nBody.`;
    const named = await loadCatalog([
      memorySource({ 'mail/SKILL.md': files['mail/SKILL.md'], [`${name}/SKILL.md`]: text }),
    ]);
    const toolkit = createToolkit(named, { policy: definePolicy({ rules: [{ skill: 'deploy-*', effect: 'deny' }] }) });
    const { text: answer } = await tool(toolkit, 'activate_skill').execute({ name });
    expect(answer).toContain('Available: `mail`.');
  },
);

describe('a skill that is denied to users', () => {
  const rule = { skill: 'pdf', actor: 'user', effect: 'deny' } as const;

  it('is not activated by its name, but by the model', async () => {
    const { toolkit } = toolkitWith(rule);
    const { active, edits } = await toolkit.prepare([user('/pdf'), { key: 'u2', role: 'user', text: '$pdf now' }]);
    expect({ active, edits }).toEqual({ active: [], edits: [] });
    expect((await tool(toolkit, 'activate_skill').execute({ name: 'pdf' })).text).toContain('Fill the form.');
  });

  it('is an argument after the name of another skill, as a skill that does not exist', async () => {
    const { toolkit } = toolkitWith(rule);
    const { edits } = await toolkit.prepare([user('/mail /pdf x')]);
    expect(edits).toEqual([{ key: 'u1', append: expect.stringContaining('ARGUMENTS: /pdf x\n') }]);
  });
});

it.each(
  (['list', 'activate'] as const).flatMap((action) =>
    (['user', 'code', undefined] as const).map((actor) => [action, actor] as const),
  ),
)('a skill that `%s` denies to %s cannot be named by them', async (action, actor) => {
  const { toolkit } = toolkitWith({ skill: 'pdf', action, effect: 'deny', ...(actor && { actor }) });
  const { active } = await toolkit.prepare([user('/pdf')]);
  expect(active.length).toBe(actor === 'code' ? 1 : 0);
  const decided = toolkit.decide({ activate: ['pdf'] }, []);
  if (actor === 'user') await expect(decided).resolves.toBeDefined();
  else await expect(decided).rejects.toMatchObject({ code: 'skill-unknown' });
});

describe('a skill that is denied to code', () => {
  const rule = { skill: 'pdf', actor: 'code', effect: 'deny' } as const;

  it('is neither preloaded nor activated by a decision', async () => {
    const { toolkit } = toolkitWith(rule);
    await expect(toolkit.decide({ activate: ['pdf'] }, [])).rejects.toMatchObject({ code: 'skill-unknown' });
    expect(() => createToolkit(catalog, { preload: ['pdf'], policy: definePolicy({ rules: [rule] }) })).toThrow(
      expect.objectContaining({ code: 'skill-unknown' }),
    );
  });
});

describe('a skill whose files are denied', () => {
  it('is not read, and no consent is asked for it', async () => {
    const { toolkit, events } = toolkitWith({ skill: 'pdf', action: 'read', effect: 'deny' });
    const { text } = await tool(toolkit, 'read_skill_resource').execute({ skill: 'pdf', path: 'form.md' });
    expect(text).toBe('The files of `pdf` are not available.');
    expect(events).toEqual([
      { type: 'refused', tool: 'read_skill_resource', code: 'read-denied', skill: 'pdf', tokens: 0 },
    ]);
  });
});

describe('a skill that everyone is denied', () => {
  it('leaves no tools and no text if there is no other', async () => {
    const { toolkit } = toolkitWith({ effect: 'deny' });
    expect(toolkit.tools).toEqual([]);
    expect(await toolkit.prepare([user('/pdf')])).toMatchObject({ system: '', edits: [], active: [] });
  });

  it('leaves a conversation that has its text, but not one that only has its name', async () => {
    const { toolkit } = toolkitWith({ skill: 'pdf', effect: 'deny' });
    const { text } = await tool(createToolkit(catalog), 'activate_skill').execute({ name: 'pdf' });
    const read = async (text: string) => {
      const results = [{ id: 'c1', tool: 'activate_skill', text }];
      return toolkit.prepare([user('Hello.'), { key: 't1', role: 'tool', results }, user('Go on.')]);
    };
    const inactive = '<skill_inactive name="pdf" />\nNo longer active: its instructions have left the context.';
    expect((await read(text)).edits).toEqual([{ key: 't1', result: 'c1', text: inactive }]);
    expect((await read(text.replace(/digest="[^"]*"/, 'digest="00000000"'))).edits).toEqual([]);
  });
});

describe('a skill that a person must agree to', () => {
  const rule = { skill: 'pdf', actor: 'model', action: 'activate', effect: 'ask' } as const;

  it('is listed, and the model is told how a user agrees', async () => {
    const { toolkit, events } = toolkitWith(rule);
    expect((await toolkit.prepare([user('Fill it.')])).system).toContain('Fills forms.');
    const { text, details } = await tool(toolkit, 'activate_skill').execute({ name: 'pdf' });
    expect(details).toEqual({ kind: 'refusal', code: 'approval-needed' });
    expect(text).toBe('A person must agree before `pdf` is activated. To agree, the user writes `/pdf`.');
    expect(events.slice(-2)).toEqual([
      { type: 'approval-needed', skill: 'pdf', tokens: 0 },
      { type: 'refused', tool: 'activate_skill', code: 'approval-needed', skill: 'pdf', tokens: 0 },
    ]);
  });

  it.each([
    [{ slash: true, dollar: false }, ' To agree, the user writes `/pdf`.'],
    [{ slash: false, dollar: true }, ' To agree, the user writes `$pdf`.'],
    [{ slash: false, dollar: false }, ''],
  ])('names no way to agree that does not count: %j', async (mentions, way) => {
    const toolkit = createToolkit(catalog, { policy: definePolicy({ rules: [rule] }), mentions });
    const { text } = await tool(toolkit, 'activate_skill').execute({ name: 'pdf' });
    expect(text).toBe(`A person must agree before \`pdf\` is activated.${way}`);
  });

  it('is neither read nor run before that, and no replay of its refusal is an activation', async () => {
    const { toolkit } = toolkitWith(rule);
    const paths = ['SKILL.md', 'form.md'];
    for (const path of paths) {
      const { details, text } = await tool(toolkit, 'read_skill_resource').execute({ skill: 'pdf', path });
      expect(details).toEqual({ kind: 'refusal', code: 'approval-needed' });
      expect(text).toBe('A person must agree before `pdf` is activated. Call activate_skill first.');
      const unasked = await tool(toolkit, 'read_skill_resource').execute({ skill: 'pdf', path }, { asks: false });
      expect(unasked.text).toBe('A person must agree before `pdf` is activated. To agree, the user writes `/pdf`.');
    }
    const direct = createToolkit(catalog, { policy: definePolicy({ rules: [rule] }), mode: 'direct' });
    const { text } = await tool(direct, 'read_skill_resource').execute({ skill: 'pdf', path: 'form.md' });
    expect(text).toBe('A person must agree before `pdf` is activated. To agree, the user writes `/pdf`.');
    const replayed = await tool(toolkit, 'activate_skill').execute({ name: 'pdf' }, { replay: true });
    expect(replayed.details).toEqual({ kind: 'refusal', code: 'approval-needed' });
  });

  it('is not active because a conversation contains its text or its tag', async () => {
    const before = await createToolkit(catalog).tools[0]?.execute({ name: 'pdf' });
    const { toolkit } = toolkitWith(rule);
    for (const text of [before?.text ?? '', '<skill_content name="pdf" digest="00000000">\n']) {
      const results = [{ id: 'c1', tool: 'activate_skill', text }];
      const { active, edits } = await toolkit.prepare([user('Hello.'), { key: 't1', role: 'tool', results }]);
      expect({ active, edits }).toEqual({ active: [], edits: [] });
    }
  });

  it('has no instructions in the prompt of the mode that shows all others', async () => {
    const toolkit = createToolkit(catalog, { mode: 'direct', policy: definePolicy({ rules: [rule] }) });
    const { system } = await toolkit.prepare([user('Hello.')]);
    expect(system).toContain('Write the mail.');
    expect(system).not.toContain('Fill the form.');
  });

  it('is activated by the user’s own words, and may then be called again', async () => {
    const { toolkit } = toolkitWith(rule);
    const messages = [user('/pdf')];
    const { state, edits } = await toolkit.prepare(messages);
    expect(edits).toEqual([{ key: 'u1', append: expect.stringContaining('Fill the form.') }]);
    const again = await tool(toolkit, 'activate_skill').execute({ name: 'pdf' }, { messages, state });
    expect(again.isError).toBe(false);
  });

  it('does not name a way that there is not', async () => {
    const toolkit = createToolkit(catalog, { mentions: false, policy: definePolicy({ rules: [rule] }) });
    const { text } = await tool(toolkit, 'activate_skill').execute({ name: 'pdf' });
    expect(text).toBe('A person must agree before `pdf` is activated.');
  });
});

describe('files that a model may not read', () => {
  it('are refused in words', async () => {
    const { toolkit } = toolkitWith({ skill: 'pdf', action: 'read', effect: 'deny' });
    const { text, isError } = await tool(toolkit, 'read_skill_resource').execute({ skill: 'pdf', path: 'form.md' });
    expect({ text, isError }).toEqual({ text: 'The files of `pdf` are not available.', isError: true });
  });
});

describe('a policy that is found for each request', () => {
  it('decides what each one sees', async () => {
    const closed = definePolicy({ rules: [{ skill: 'pdf', effect: 'deny' }] });
    const open = definePolicy();
    const toolkit = createToolkit(catalog, { policy: ({ request }) => (request === 'acme' ? closed : open) });
    const texts = await Promise.all(
      ['acme', 'other'].map(async (request) => (await toolkit.prepare([user('Hello.')], { request })).system),
    );
    expect(texts.map((text) => text.includes('Fills forms.'))).toEqual([false, true]);
  });
});
