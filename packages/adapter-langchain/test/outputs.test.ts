// What messages keep of results, because a browser may get them, and what the model reads all the same.

import { Command, MemorySaver } from '@langchain/langgraph';
import { createToolkit, definePolicy, loadCatalog, memorySource, type ToolkitOptions } from '@skillful/core';
import { type BaseMessage, createAgent, createMiddleware, HumanMessage, ToolMessage } from 'langchain';
import { describe, expect, it } from 'vitest';
import { prepareModelCall, type SkillsOptions, skillsMiddleware } from '../src/index.ts';
import { activate, type Call, calling, given, modelThatCalls, thread, user } from './support.ts';

const source = memorySource({
  'report/SKILL.md':
    '---\nname: report\ndescription: Writes reports.\nargument-hint: TOPIC\n---\nREPORT-BODY about $ARGUMENTS\n',
  'report/guide.md': '# Sums\nBegin with the result.\n',
  'report/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255]),
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog, { tools: { deactivate: true } });

const seal = 'iVBORw0KGgoA/w==';
const read = (path: string, section?: string) => ({
  name: 'read_skill_resource',
  args: { skill: 'report', path, section },
});

/** Holds a conversation in which the model and the user activate skills, some of them twice, read files, and end one. */
async function converse(options: SkillsOptions) {
  const checkpointer = new MemorySaver();
  const end = { name: 'deactivate_skill', args: { name: 'notes' } };
  const withArguments = { name: 'activate_skill', args: { name: 'report', arguments: 'sales' } };
  const prompts: unknown[] = [];
  const sent: unknown[] = [];
  const turns = [
    ['Write.', [activate('report')], [activate('report'), activate('notes')]],
    ['/notes', [activate('notes')], [read('guide.md')], [read('guide.md', 'None')], [read('seal.png'), withArguments]],
    ['/report costs', [end]],
  ] as const;
  for (const [text, ...steps] of turns) {
    const model = modelThatCalls(...steps);
    const middleware = [skillsMiddleware(toolkit, options)];
    const { graph } = createAgent({ model, checkpointer, middleware });
    const modes = ['values', 'updates', 'messages', 'debug'] as const;
    const stream = await graph.stream(user(text), { ...thread('one'), streamMode: [...modes] });
    for await (const chunk of stream) sent.push(chunk);
    sent.push(await graph.getState(thread('one')));
    prompts.push(...model.calls.map(({ messages }) => messages.map((message: BaseMessage) => message.content)));
  }
  return { prompts, sent: JSON.stringify(sent) };
}

it('is neither instructions nor files, in no stream and no state, and the model reads the same', async () => {
  const [full, redacted] = [await converse({ outputs: 'full' }), await converse({})];
  expect(full.sent).toMatch(/REPORT-BODY|NOTES-BODY/);
  expect(full.sent).toContain('Begin with the result.');
  expect(full.sent).toContain(seal);
  expect(JSON.stringify(full.prompts)).toMatch(/REPORT-BODY about sales.*REPORT-BODY about costs/);
  expect(redacted.prompts).toEqual(full.prompts);
  expect(redacted.sent).not.toMatch(/-BODY|Directory|Sums|Begin with the result/);
  expect(redacted.sent).not.toContain(seal);
  expect(redacted.sent).toContain('"<skill_content name=\\"report\\"');
});

it('is the same while a graph runs, and what the catalog has in a later turn, which asks for it once', async () => {
  const guide = (text: string) =>
    loadCatalog([
      memorySource({ 'report/SKILL.md': '---\nname: report\ndescription: D.\n---\nB.\n', 'report/guide.md': text }),
    ]);
  let asked = 0;
  const catalogs = [await guide('FIRST'), await guide('FIRST'), await guide('SECOND'), await guide('THIRD')];
  const changing = createToolkit(() => catalogs[asked++] ?? guide('LAST'));
  const checkpointer = new MemorySaver();
  const say = async (...steps: readonly (readonly Call[])[]) => {
    const model = modelThatCalls(...steps);
    const agent = createAgent({ model, checkpointer, middleware: [skillsMiddleware(changing)] });
    await agent.invoke(user('Go.'), thread('one'));
    return model.calls.map(
      ({ messages }) => messages.find(({ type }) => type === 'tool')?.text.match(/[A-Z]{5,}/)?.[0],
    );
  };
  // Each model call asks for the catalog once, and its tools share that.
  expect([await say([read('guide.md')], [activate('report')]), asked]).toEqual([[undefined, 'FIRST', 'FIRST'], 3]);
  expect([await say(), asked]).toEqual([['THIRD'], 4]);
});

it('stays away if its call is gone, or if the skill may no longer be read', async () => {
  const checkpointer = new MemorySaver();
  const open = (options: ToolkitOptions, ...steps: readonly (readonly Call[])[]) => {
    const model = modelThatCalls(...steps);
    const skills = createToolkit(catalog, options);
    return { model, agent: createAgent({ model, checkpointer, middleware: [skillsMiddleware(skills)] }) };
  };
  const before = open({}, [read('guide.md')]);
  await before.agent.invoke(user('Go.'), thread('one'));
  const denied = open({ policy: definePolicy({ rules: [{ skill: 'report', effect: 'deny' }] }) });
  await denied.agent.invoke(user('Go on.'), thread('one'));
  expect(given(denied.model).map(({ text }) => text)).toContain(
    '[This text is not stored here. If you need it, call the tool again, once.]',
  );
  const { messages } = (await before.agent.graph.getState(thread('one'))).values;
  const result = messages.find(({ type }: BaseMessage) => type === 'tool');
  const trimmed = await prepareModelCall(createToolkit(catalog), { messages: [result], tools: [] });
  expect(trimmed.messages.map(({ text }) => text)).toEqual([
    '[This text is not stored here. If you need it, call the tool again, once.]',
  ]);
});

describe('messages that an application keeps itself', () => {
  const open = async (guide: string, policy: ToolkitOptions['policy'], ...steps: readonly (readonly Call[])[]) => {
    const files = { 'report/SKILL.md': '---\nname: report\ndescription: D.\n---\nB.\n', 'report/guide.md': guide };
    const others = { 'notes/SKILL.md': '---\nname: notes\ndescription: D.\n---\nB.\n', 'notes/a.md': 'A' };
    const skills = createToolkit(await loadCatalog([memorySource({ ...files, ...others })]), policy && { policy });
    const model = modelThatCalls(...steps);
    return { model, agent: createAgent({ model, middleware: [skillsMiddleware(skills)] }) };
  };

  it('are given to the next model as its own toolkit decides', async () => {
    const first = await open('FIRST', undefined, [read('guide.md')]);
    const { messages } = await first.agent.invoke(user('Go.'));
    expect(JSON.stringify(given(first.model))).toContain('FIRST');
    const denied = definePolicy({ rules: [{ skill: 'report', effect: 'deny' }] });
    for (const [guide, policy, expected] of [
      ['SECOND', undefined, 'SECOND'],
      ['FIRST', denied, '[This text is not stored here. If you need it, call the tool again, once.]'],
    ] as const) {
      const next = await open(guide, policy);
      await next.agent.invoke({ messages });
      expect(given(next.model).find(({ type }) => type === 'tool')?.text).toContain(expected);
      // AG-UI drops the names of results.
      const nameless = messages.map((message) =>
        ToolMessage.isInstance(message) ? new ToolMessage({ ...message.lc_kwargs, name: undefined } as never) : message,
      );
      const other = await open(guide, policy);
      await other.agent.invoke({ messages: nameless });
      expect(given(other.model).find(({ type }) => type === 'tool')?.text).toContain(expected);
    }
  });

  it('are what the catalog has in each turn, also if they have no ids', async () => {
    let policy = definePolicy();
    const skills = createToolkit(catalog, { policy: () => policy });
    const call = calling(read('guide.md'));
    const { id: tool_call_id = '', name = '' } = call.tool_calls?.[0] ?? {};
    const content = '[This text is not stored here. If you need it, call the tool again, once.]';
    const messages: BaseMessage[] = [new HumanMessage('Go.')];
    await (await prepareModelCall(skills, { messages, tools: [] })).accept(call);
    messages.push(call, new ToolMessage({ content, tool_call_id, name, artifact: {} }));
    const run = {};
    const ask = async () => (await prepareModelCall(skills, { messages, tools: [], run })).messages[2]?.text;
    expect(await ask()).toContain('Begin with the result.');
    policy = definePolicy({ rules: [{ skill: 'report', effect: 'deny' }] });
    expect(await ask()).toContain('Begin with the result.');
    messages.push(new HumanMessage('Go on.'));
    expect(await ask()).toBe(content);
  });

  it('are read without what came after them if a run is repeated from its middle', async () => {
    const model = modelThatCalls([read('guide.md')], [activate('report')]);
    const agent = createAgent({ model, middleware: [skillsMiddleware(toolkit)] });
    const { messages } = await agent.invoke(user('Go.'));
    expect(JSON.stringify(given(model))).toContain('REPORT-BODY');
    await agent.invoke({ messages: messages.slice(0, 3) });
    expect(JSON.stringify(given(model))).not.toContain('REPORT-BODY');
  });

  it('keep the marks of their parts', async () => {
    const { agent, model } = await open('FIRST', undefined, [read('guide.md')]);
    const { messages } = await agent.invoke(user('Go.'));
    const result = messages.find(({ type }) => type === 'tool');
    const point = { type: 'non_standard', value: { cachePoint: { type: 'default' } } };
    const marked = [{ type: 'text', text: result?.text, cache_control: { type: 'ephemeral' } }, point];
    Object.assign(result ?? {}, { content: marked });
    await agent.invoke({ messages });
    const text = expect.stringContaining('FIRST');
    expect(given(model).find(({ type }) => type === 'tool')?.content).toEqual([{ ...marked[0], text }, point]);
  });
});

it('is read once in a turn, also if other middleware copies messages', async () => {
  const source = memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: D.\n---\nB.\n',
    'report/guide.md': 'GUIDE',
  });
  let reads = 0;
  const counted: typeof source = {
    ...source,
    readFile: (...call) => {
      reads += 1;
      return source.readFile(...call);
    },
  };
  const copy = createMiddleware({
    name: 'Copy',
    wrapModelCall: (request, handler) =>
      handler({
        ...request,
        messages: request.messages.map((message) =>
          Object.assign(Object.create(Object.getPrototypeOf(message)), message),
        ),
      }),
  });
  const model = modelThatCalls([read('guide.md')], [activate('none')], [activate('nothing')]);
  const skills = createToolkit(await loadCatalog([counted]));
  const middleware = [copy, skillsMiddleware(skills)];
  await createAgent({ model, middleware }).invoke(user('Go.'));
  expect([model.calls.length, reads]).toEqual([4, 1]);
});

/** Streams an agent in all modes, and returns what a client can read then, also of its states. */
async function readAll({ graph }: ReturnType<typeof createAgent>, input: Parameters<typeof graph.stream>[0]) {
  const modes = ['values', 'updates', 'messages', 'debug', 'tasks', 'checkpoints', 'custom'] as const;
  const sent: unknown[] = [];
  const stream = await graph.stream(input, { ...thread('one'), streamMode: [...modes] });
  for await (const chunk of stream) sent.push(chunk);
  for await (const state of graph.getStateHistory(thread('one'))) sent.push(state);
  return JSON.stringify(sent);
}

it('has nothing of the server if a source fails, in no stream and no state', async () => {
  const failing: typeof source = {
    ...source,
    readFile: () => Promise.reject(new Error('EIO: i/o error, open /srv/skills')),
  };
  const reasons: string[] = [];
  const skills = createToolkit(await loadCatalog([failing]), {
    policy: definePolicy({ rules: [{ skill: 'notes', actor: 'model', action: 'activate', effect: 'ask' }] }),
    onEvent: (event) => void (event.type === 'tool-failed' && reasons.push(event.reason)),
  });
  const model = modelThatCalls([activate('report')], [read('guide.md')], [activate('notes')]);
  const middleware = [skillsMiddleware(skills, { streamEvents: true })];
  const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware });
  const sent = await readAll(agent, user('Go.'));
  expect(sent).toContain('`guide.md` could not be read.');
  expect(sent).toContain('"type":"tool-failed"');
  expect(sent).not.toContain('/srv');
  expect(reasons).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('open /srv/skills')));
});

it('is no file that a person was asked about, and every process of the conversation reads it again', async () => {
  const checkpointer = new MemorySaver();
  const policy = definePolicy({ rules: [{ actor: 'model', action: 'read', effect: 'ask' }] });
  const consent = { store: new Map() };
  const open = (...steps: readonly (readonly Call[])[]) => {
    const model = modelThatCalls(...steps);
    const middleware = [skillsMiddleware(createToolkit(catalog, { policy, consent }), { streamEvents: true })];
    return { model, agent: createAgent({ model, checkpointer, middleware }) };
  };
  const first = open([read('guide.md')], [read('seal.png')]);
  const resume = new Command({ resume: { decisions: [{ type: 'approve' }] } });
  const sent: string[] = [];
  for (const input of [user('Go.'), resume, resume]) sent.push(await readAll(first.agent, input));
  const later = open();
  sent.push(await readAll(later.agent, user('Go on.')));
  for (const { model } of [first, later]) {
    expect(JSON.stringify(given(model))).toContain('Begin with the result.');
    expect(JSON.stringify(given(model))).toContain(seal);
  }
  expect(sent.join()).toContain('"asked":true');
  expect(sent.join()).not.toMatch(/Begin with the result|-BODY|Directory/);
  expect(sent.join()).not.toContain(seal);
  // Whoever forgets what was agreed to is asked again.
  consent.store.clear();
  const lost = open();
  await lost.agent.invoke(user('And?'), thread('one'));
  expect(JSON.stringify(given(lost.model))).not.toMatch(/Begin with the result|iVBOR/);
});

it('is what a script wrote, as a text that an application can find and leave out', async () => {
  const source = memorySource({
    'kit/SKILL.md': '---\nname: kit\ndescription: D.\n---\nB.\n',
    'kit/scripts/count.sh': 'echo',
  });
  const output = 'FORTY-TWO "PAGES"\n\\</script_output>';
  const runner = { run: async () => ({ exitCode: 0, output, errors: '', truncated: false, timedOut: false }) };
  const policy = definePolicy({ rules: [{ action: 'run', effect: 'allow' }] });
  const skills = createToolkit(await loadCatalog([source]), { runner, policy });
  const model = modelThatCalls([{ name: 'run_skill_script', args: { skill: 'kit', path: 'scripts/count.sh' } }]);
  const middleware = [skillsMiddleware(skills, { streamEvents: true })];
  const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware });
  const sent = await readAll(agent, user('Go.'));
  expect(JSON.stringify(given(model))).toContain('FORTY-TWO');
  expect(sent).toContain('FORTY-TWO');
  // As in the documents.
  const withheld = sent.replaceAll(/"<script_output (?:[^"\\]|\\.)*"/g, '""');
  expect(JSON.stringify(JSON.parse(withheld))).not.toMatch(/FORTY|PAGES/);
});
