import { describe, expect, it } from 'vitest';
import {
  type Catalog,
  createToolkit,
  definePolicy,
  loadCatalog,
  type MessageView,
  memorySource,
  type PolicyRule,
  type ScriptRunner,
  type SkillContext,
  type SkillEvent,
  type SkillTracer,
  type ToolkitOptions,
} from '../../src/index.ts';

const skill = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}`;
const files = {
  'pay/SKILL.md': skill('pay', 'Pay.', 'allowed-tools: transfer\n'),
  'pay/scripts/pay.sh': 'echo paid',
  'mail/SKILL.md': skill('mail', 'Mail.'),
};
const load = (changes: object = {}) => loadCatalog([memorySource({ ...files, ...changes })]);
const user = (key: string, text: string): MessageView => ({ key, role: 'user', text });

/** A toolkit whose catalog and policy can be replaced while conversations go on. */
async function open(options: ToolkitOptions = {}) {
  const now: { catalog: Catalog; rules: readonly PolicyRule[] } = { catalog: await load(), rules: [] };
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(() => now.catalog, {
    policy: () => definePolicy({ rules: now.rules }),
    onEvent: (event) => void (event.type !== 'offered' && events.push(event)),
    ...options,
  });
  const call = (name: string, input: object, context: SkillContext = {}) =>
    toolkit.tools.find((tool) => tool.name === name)?.execute(input, context);
  return { toolkit, now, call, told: () => events.splice(0) };
}

const fine = { exitCode: 0, output: 'paid', errors: '', truncated: false, timedOut: false };
const allowRun: PolicyRule = { action: 'run', effect: 'allow' };
const script = { skill: 'pay', path: 'scripts/pay.sh' };

describe('a script', () => {
  it('that a cancelled call began is reported', async () => {
    const stop = new AbortController();
    const runner: ScriptRunner = {
      sandbox: 'box',
      run: async (_, { signal } = {}) => {
        stop.abort(new Error('closed'));
        signal?.throwIfAborted();
        return fine;
      },
    };
    const { now, call, told } = await open({ runner });
    now.rules = [allowRun];
    await expect(call('run_skill_script', script, { call: 'c1', signal: stop.signal })).rejects.toThrow('closed');
    const digest = expect.stringMatching(/^sha256:/);
    const ended = { sandbox: 'box', exitCode: undefined, timedOut: false, unfinished: true };
    expect(told()).toEqual([{ type: 'script-run', ...script, digest, ...ended, tokens: 0, call: 'c1' }]);
  });

  it('is told from others by its call', async () => {
    const { now, call, told } = await open({ runner: { run: async () => fine } });
    now.rules = [allowRun];
    await Promise.all(['c1', 'c2'].map((id) => call('run_skill_script', script, { call: id })));
    expect(told()).toMatchObject([
      { type: 'script-run', call: 'c1' },
      { type: 'script-run', call: 'c2' },
    ]);
  });
});

describe('a refused call', () => {
  it('names the denied skill to the application, and neither to the model nor to clients or a trace', async () => {
    const spans: string[] = [];
    const tracer: SkillTracer = {
      startActiveSpan(name, { attributes }, run) {
        spans.push(name);
        const setAttributes = (more: object) => Object.assign(attributes, more);
        const updateName = (better: string) => spans.push(better);
        return run({ setAttributes, updateName, addEvent() {}, setStatus() {}, recordException() {}, end() {} });
      },
    };
    const { now, call, told } = await open({ tracer });
    now.rules = [{ skill: 'pay', effect: 'deny' }];
    const streamed: SkillEvent[] = [];
    const context = { call: 'c1', onEvent: (event: SkillEvent) => void streamed.push(event) };
    const { text = '', details } = (await call('activate_skill', { name: 'pay' }, context)) ?? {};
    expect(streamed).toEqual([]);
    expect(text).toContain('No skill `pay`');
    expect(details).toEqual({ kind: 'refusal', code: 'skill-unknown' });
    const refused = { type: 'refused', tool: 'activate_skill', code: 'skill-unknown', tokens: 0 };
    expect(told()).toEqual([{ ...refused, skill: 'pay', call: 'c1' }]);
    expect(spans).toEqual(['execute_tool activate_skill', 'execute_tool activate_skill']);
    await call('activate_skill', { name: 'SECRET' });
    await call('activate_skill', { name: ['SECRET'] });
    expect(told()).toEqual([refused, { ...refused, code: 'input-invalid' }]);
  });

  it('reads the same answer without a listener, also if the skills cannot be loaded', async () => {
    const texts = [];
    for (const onEvent of [undefined, () => {}]) {
      const gone = createToolkit(() => Promise.reject(new Error('away')), onEvent && { onEvent });
      const [tool] = gone.tools.filter(({ name }) => name === 'read_skill_resource');
      texts.push(await tool?.execute({ skill: 'pay' }));
    }
    expect(texts[1]).toEqual(texts[0]);
    expect(texts[0]).toMatchObject({ details: { code: 'input-invalid' } });
  });

  it('is reported once, although some frameworks judge it more than once', async () => {
    const { toolkit, told } = await open({ allowedTools: { mode: 'restrict' }, unlocks: { mail: ['send'] } });
    const run = {};
    const messages = [user('1', '/pay')];
    await toolkit.prepare(messages, { run });
    told();
    const judge = (name: string, call: string) => toolkit.judge({ name, input: {} }, { run, messages, call });
    for (const call of ['c1', 'c1', 'c2']) expect(await judge('delete_all', call)).toMatchObject({ effect: 'deny' });
    expect(await judge('send', 'c3')).toMatchObject({ effect: 'deny' });
    expect(await judge('transfer', 'c4')).toEqual({ effect: 'none' });
    const refused = { type: 'refused', tool: 'delete_all', code: 'tool-restricted', tokens: 0 };
    expect(told()).toEqual([
      { ...refused, call: 'c1' },
      { ...refused, call: 'c2' },
      { type: 'refused', tool: 'send', code: 'tool-locked', tokens: 0, call: 'c3' },
    ]);
    // A model may number its calls anew in each answer.
    await toolkit.prepare(messages, { run });
    told();
    expect(await judge('drop', 'c1')).toMatchObject({ effect: 'deny' });
    expect(await judge('delete_all', 'c1')).toMatchObject({ effect: 'deny' });
    expect(told()).toMatchObject(['drop', 'delete_all'].map((tool) => ({ type: 'refused', tool, call: 'c1' })));
    expect(await toolkit.judge({ name: 'delete_all', input: {} }, { run, messages })).toMatchObject({ effect: 'deny' });
    expect(await toolkit.judge({ name: 'delete_all', input: {} }, { run, messages })).toMatchObject({ effect: 'deny' });
    expect(told()).toEqual([refused, refused]);
  });
});

it('reports a call that a skill approves, so that no person is asked', async () => {
  const { toolkit, told } = await open({ allowedTools: { mode: 'preapprove' } });
  const run = {};
  const messages = [user('1', '/pay')];
  await toolkit.prepare(messages, { run });
  told();
  const call = { name: 'transfer', input: {} };
  for (const id of ['c1', 'c1']) await toolkit.judge(call, { run, messages, call: id });
  expect(told()).toEqual([{ type: 'tool-approved', skill: 'pay', tool: 'transfer', tokens: 0, call: 'c1' }]);
});

describe('the instructions in a model call', () => {
  it('are listed with their versions, also those of preloaded skills', async () => {
    const { toolkit, told } = await open({ preload: ['mail'] });
    const run = {};
    await toolkit.prepare([user('1', '/pay')], { run });
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(told()).toMatchObject([
      { type: 'activated', skill: 'pay' },
      { type: 'included', skills: { mail: digest, pay: digest } },
    ]);
    await toolkit.prepare([user('1', 'Hi.')], {});
    expect(told()).toEqual([{ type: 'included', skills: { mail: digest }, tokens: 0 }]);
  });

  it('are listed for models without tools, too', async () => {
    const { toolkit, told } = await open({ mode: 'direct' });
    await toolkit.prepare([]);
    const digest: unknown = expect.stringMatching(/^sha256:/);
    expect(told()).toEqual([{ type: 'included', skills: { mail: digest, pay: digest }, tokens: 0 }]);
  });

  it.each(['user', 'model', 'code'] as const)('of a new version are reported once: by %s', async (by) => {
    const { toolkit, now, call, told } = await open();
    const asked = user('1', by === 'user' ? '/pay' : 'Pay.');
    const text = (await call('activate_skill', { name: 'pay' }))?.text ?? '';
    const results = [{ id: 'c1', tool: 'activate_skill', text }];
    const messages: MessageView[] =
      by === 'model' ? [asked, { key: '2', role: 'assistant' }, { key: '3', role: 'tool', results }] : [asked];
    const decided = by === 'code' ? await toolkit.decide({ activate: ['pay'] }, messages) : undefined;
    const { state, active } = await toolkit.prepare(messages, { state: decided });
    told();
    now.catalog = await load({ 'pay/SKILL.md': skill('pay', 'Pay twice.') });
    const later = [...messages, { key: '4', role: 'assistant' as const }, user('5', 'Go on.')];
    const after = await toolkit.prepare(later, { state });
    expect(JSON.stringify(after.edits)).toContain('Pay twice.');
    const digest: unknown = expect.stringMatching(`^sha256:${after.active[0]?.digest}`);
    expect(after.active[0]?.digest).not.toBe(active[0]?.digest);
    expect(told()).toEqual([
      { type: 'updated', skill: 'pay', digest, source: 'memory', tokens: expect.any(Number) },
      { type: 'included', skills: { pay: digest }, tokens: 0 },
    ]);
    await toolkit.prepare(later, { state: after.state });
    expect(told().map(({ type }) => type)).toEqual(['included']);
  });

  it('of a new version are reported once, also if they have moved', async () => {
    const { toolkit, now, told } = await open();
    const { state } = await toolkit.prepare([user('1', '/pay')]);
    const moved = await toolkit.prepare([user('5', 'Go on.')], { state });
    told();
    now.catalog = await load({ 'pay/SKILL.md': skill('pay', 'Pay twice.') });
    const after = await toolkit.prepare([user('5', 'Go on.')], { state: moved.state });
    await toolkit.prepare([user('5', 'Go on.')], { state: after.state });
    expect(told().map(({ type }) => type)).toEqual(['updated', 'included', 'included']);
  });

  it('of a new version are not reported in each turn if nothing is stored', async () => {
    const { toolkit, now, call, told } = await open();
    const text = (await call('activate_skill', { name: 'pay' }))?.text ?? '';
    const results = [{ id: 'c1', tool: 'activate_skill', text }];
    now.catalog = await load({ 'pay/SKILL.md': skill('pay', 'Pay twice.') });
    told();
    const messages: MessageView[] = [
      user('1', 'Pay.'),
      { key: '2', role: 'assistant' },
      { key: '3', role: 'tool', results },
    ];
    for (const _ of [1, 2]) await toolkit.prepare([...messages, user('4', 'Go on.')]);
    expect(told().map(({ type }) => type)).toEqual(['included', 'included']);
  });

  it('tell a client why a description was cut', async () => {
    const { toolkit, told } = await open({ plan: { budget: { tokens: 1 } } });
    const streamed: SkillEvent[] = [];
    await toolkit.prepare([], { onEvent: (event) => void streamed.push(event) });
    const events = told();
    expect(events[0]).toMatchObject({ type: 'cut', reason: 'budget' });
    expect(streamed.filter(({ type }) => type === 'cut')).toEqual(events);
  });

  it.each([
    ['denied', [{ skill: 'pay', effect: 'deny' }], {}],
    ['missing', [], { 'pay/SKILL.md': skill('other', 'x') }],
  ] as const)('leave it if the skill is %s, and return with it', async (reason, rules, changes) => {
    const { toolkit, now, told } = await open();
    const messages = [user('1', '/pay')];
    const { state } = await toolkit.prepare(messages);
    told();
    now.rules = rules;
    now.catalog = await load(changes);
    const streamed: SkillEvent[] = [];
    const onEvent = (event: SkillEvent) => void streamed.push(event);
    const without = await toolkit.prepare(messages, { state, onEvent });
    expect(told()).toEqual([{ type: 'left-out', skill: 'pay', reason, tokens: 0 }]);
    // With the reason, a client could find out which names exist.
    expect(streamed.slice(1)).toEqual([{ type: 'left-out', skill: 'pay', tokens: 0 }]);
    // A skill that only left the catalog may come back with it, so it stays in the list.
    const names = reason === 'denied' ? [] : ['pay'];
    expect(without.active.map(({ name }) => name)).toEqual(names);
    expect((await toolkit.active(messages, { state: without.state })).map(({ name }) => name)).toEqual(names);
    now.rules = [];
    now.catalog = await load();
    const { active } = await toolkit.prepare(messages, { state: without.state });
    expect(active).toMatchObject([{ name: 'pay' }]);
    expect(told()).toMatchObject([{ type: 'included', skills: { pay: expect.any(String) } }]);
  });
});
