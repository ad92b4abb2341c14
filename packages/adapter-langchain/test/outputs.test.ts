// What messages keep of results, because a browser may get them, and what the model reads all the same.

import { MemorySaver } from '@langchain/langgraph';
import { createToolkit, definePolicy, loadCatalog, memorySource, type ToolkitOptions } from '@skillful/core';
import { type BaseMessage, createAgent, createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { prepareModelCall, type SkillsOptions, skillsMiddleware } from '../src/index.ts';
import { activate, type Call, given, modelThatCalls, thread, user } from './support.ts';

const source = memorySource({
  'report/SKILL.md':
    '---\nname: report\ndescription: Writes reports.\nargument-hint: TOPIC\n---\nREPORT-BODY about $ARGUMENTS\n',
  'report/guide.md': 'Begin with the result.\n',
  'report/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255]),
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog, { tools: { deactivate: true } });

const seal = 'iVBORw0KGgoA/w==';
const read = (path: string) => ({ name: 'read_skill_resource', args: { skill: 'report', path } });

/** Holds a conversation in which the model and the user activate skills, some of them twice, read files, and end one. */
async function converse(options: SkillsOptions) {
  const checkpointer = new MemorySaver();
  const end = { name: 'deactivate_skill', args: { name: 'notes' } };
  const withArguments = { name: 'activate_skill', args: { name: 'report', arguments: 'sales' } };
  const prompts: unknown[] = [];
  const sent: unknown[] = [];
  const turns = [
    ['Write.', [activate('report')], [activate('report'), activate('notes')]],
    ['/notes', [activate('notes')], [read('guide.md')], [read('seal.png'), withArguments]],
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
  expect(redacted.sent).not.toMatch(/-BODY|Directory|Begin with the result/);
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
  expect(given(denied.model).map(({ text }) => text)).toContain('[This text is not stored here.]');
  const { messages } = (await before.agent.graph.getState(thread('one'))).values;
  const result = messages.find(({ type }: BaseMessage) => type === 'tool');
  const trimmed = await prepareModelCall(createToolkit(catalog), { messages: [result], tools: [] });
  expect(trimmed.messages.map(({ text }) => text)).toEqual(['[This text is not stored here.]']);
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
      ['FIRST', denied, '[This text is not stored here.]'],
    ] as const) {
      const next = await open(guide, policy);
      await next.agent.invoke({ messages });
      expect(given(next.model).find(({ type }) => type === 'tool')?.text).toContain(expected);
    }
  });

  it('keep the marks of their parts', async () => {
    const { agent, model } = await open('FIRST', undefined, [read('guide.md')]);
    const { messages } = await agent.invoke(user('Go.'));
    const result = messages.find(({ type }) => type === 'tool');
    const marked = [{ type: 'text', text: result?.text, cache_control: { type: 'ephemeral' } }];
    Object.assign(result ?? {}, { content: marked });
    await agent.invoke({ messages });
    const text = expect.stringContaining('FIRST');
    expect(given(model).find(({ type }) => type === 'tool')?.content).toEqual([{ ...marked[0], text }]);
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
