import { Agent, type AgentConfig } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import mastra from '@mastra/core/package.json' with { type: 'json' };
import type { InputProcessor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog, memorySource, type SkillEvent, type SkillState } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { describe, expect, it, vi } from 'vitest';
import { activeSkills, decide, type SkillsOptions, skillsProcessor, skillTools, withSkills } from '../src/index.ts';
import { overwriteState, stateOf, threadStates } from './thread-state.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\narguments: who\n---\nREPORT-BODY for $who.\n',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog);

type Model = ReturnType<typeof scriptedModel>;
type Script = Parameters<typeof scriptedModel>[0];

const call = (tool: string, input: unknown) => ({ calls: [{ tool, input }] });
const activate = (name: string) => call('activate_skill', { name });
const done = { text: 'Done.' };
const isOldest = mastra.version === '1.42.0';
const asConfig = (model: Model): MastraModelConfig => model as unknown as MastraModelConfig;
const memoryOf = (lastMessages = 20): Memory => new Memory({ storage: new InMemoryStore(), options: { lastMessages } });

interface Talk extends SkillsOptions {
  readonly thread?: string;
  readonly skills?: typeof toolkit;
  readonly config?: Partial<AgentConfig<'agent'>>;
  readonly run?: object;
}

async function say(memory: Memory, user: string, script: Script, more: Talk = {}): Promise<Model> {
  const { thread = 'one', skills = toolkit, config, run, ...options } = more;
  const model = scriptedModel(script);
  const base = { id: 'agent' as const, name: 'agent', instructions: 'You are kind.', model: asConfig(model), memory };
  const agent = new Agent(withSkills({ ...base, ...config }, skills, options));
  await agent.generate(user, { maxSteps: 10, memory: { thread, resource: 'user' }, ...run });
  return model;
}

function bodiesIn(model: Model): readonly number[] {
  const last = observedCalls(model).at(-1);
  const text = [last?.system, ...(last?.messages ?? []).map(({ text: said }) => said)].join('\n');
  return ['REPORT-BODY', 'NOTES-BODY'].map((phrase) => text.split(phrase).length - 1);
}

it('leaves the words of a user one text when a skill follows them, because some servers accept no parts', async () => {
  const model = await say(memoryOf(), '/report bob', [done]);
  const said = model.doGenerateCalls[0]?.prompt.at(-1)?.content;
  expect(said).toEqual([expect.objectContaining({ text: expect.stringMatching(/^\/report bob\n\n<skill_content /) })]);
});

describe('what a memory keeps of skills', () => {
  it('contains no word of anyone and stays as short in sixty turns', async () => {
    const memory = memoryOf(4);
    await say(memory, '/report alice@example.com', [done]);
    const size = JSON.stringify(await stateOf(memory)).length;
    for (let turn = 0; turn < 60; turn += 1) await say(memory, `Secret word ${turn}. Use $notes.`, [done]);
    const kept = JSON.stringify(await stateOf(memory));
    expect(kept).not.toMatch(/alice|Secret|word|Use/);
    expect(kept.length).toBeLessThan(2 * size + 50);
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([1, 1]);
  });

  it('keeps a skill active when all messages are deleted, without the words that they had', async () => {
    const memory = memoryOf();
    await say(memory, '/report alice@example.com', [done]);
    const { messages } = await memory.recall({ threadId: 'one' });
    await memory.deleteMessages(messages.map(({ id }) => id));
    const model = await say(memory, 'Go on.', [done]);
    expect(bodiesIn(model)).toEqual([1, 0]);
    expect(JSON.stringify([model.doGenerateCalls[0]?.prompt, await stateOf(memory)])).not.toContain('alice');
  });

  it('keeps its place when an earlier message with the same words is gone', async () => {
    const memory = memoryOf();
    for (const words of ['/report Ann', 'Hello.', '/report Ann']) await say(memory, words, [done]);
    const { messages } = await memory.recall({ threadId: 'one' });
    await memory.deleteMessages(messages.slice(0, 2).map(({ id }) => id));
    const [sent] = observedCalls(await say(memory, 'Go on.', [done]));
    expect(sent?.messages.map(({ text }) => text.includes('REPORT-BODY'))).toEqual([false, false, true, false, false]);
  });

  it('is not taken from words that were answered long ago, although the words that were seen last are gone', async () => {
    const memory = memoryOf();
    const events: SkillEvent[] = [];
    const skills = createToolkit(catalog, { onEvent: (event) => events.push(event) });
    await say(memory, '/report alice', [done], { skills });
    await say(memory, 'Thanks.', [done], { skills });
    await decide(skills, { deactivate: ['report'] }, { memory, threadId: 'one' });
    const { messages } = await memory.recall({ threadId: 'one' });
    await memory.deleteMessages(messages.slice(-2).map(({ id }) => id));
    expect(bodiesIn(await say(memory, 'Go on.', [done], { skills }))).toEqual([0, 0]);
    const told = events.flatMap(({ type }) => (type === 'offered' ? [] : [type]));
    expect(told).toEqual(['activated', 'included', 'included', 'deactivated']);
  });

  it('goes with a copy of the thread, but not with one that names a thread of another resource', async () => {
    const memory = memoryOf();
    await say(memory, 'Hello.', [done]);
    await decide(toolkit, { activate: ['notes'] }, { memory, threadId: 'one' });
    const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
    expect(bodiesIn(await say(memory, 'Go on.', [done], { thread: thread.id }))).toEqual([0, 1]);
    const forged = { clone: { sourceThreadId: 'one' } };
    await memory.createThread({ threadId: 'forged', resourceId: 'other', metadata: forged });
    const run = { memory: { thread: 'forged', resource: 'other' } };
    expect(bodiesIn(await say(memory, 'Go on.', [done], { run }))).toEqual([0, 0]);
  });

  it('is in a copy as it was when the thread was copied, whatever happens in the original before the first turn of the copy', async () => {
    const memory = memoryOf();
    await say(memory, 'Take notes.', [activate('notes'), done]);
    await new Promise((resolve) => setTimeout(resolve, 2));
    const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await say(memory, '/report Ann', [done]);
    expect(bodiesIn(await say(memory, 'Go on.', [done], { thread: thread.id }))).toEqual([0, 1]);
  });

  it('goes with a copy even if its metadata is replaced after its first turn', async () => {
    const memory = memoryOf();
    await say(memory, 'Hello.', [done]);
    await decide(toolkit, { activate: ['notes'] }, { memory, threadId: 'one' });
    await say(memory, 'Go on.', [done]);
    const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
    // Changes nothing about the skill.
    await say(memory, 'Go on.', [done], { thread: thread.id });
    await memory.saveThread({ thread: { ...thread, metadata: {} } });
    expect(bodiesIn(await say(memory, 'Go on.', [done], { thread: thread.id }))).toEqual([0, 1]);
  });

  // A memory of Mastra 1.42 transfers no thread.
  it.skipIf(isOldest)(
    'goes with a thread to another resource, and not to one that takes the id of a deleted thread',
    async () => {
      const memory = memoryOf(2);
      await say(memory, 'Hello.', [done]);
      await decide(toolkit, { activate: ['notes'] }, { memory, threadId: 'one' });
      await memory.updateThreadResourceId({ threadId: 'one', resourceId: 'heir' });
      const run = { memory: { thread: 'one', resource: 'heir' } };
      expect(bodiesIn(await say(memory, 'Go on.', [done], { run }))).toEqual([0, 1]);
      await memory.deleteThread('one');
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(bodiesIn(await say(memory, 'Hello.', [done]))).toEqual([0, 0]);
      const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
      expect(bodiesIn(await say(memory, 'Go on.', [done], { thread: thread.id }))).toEqual([0, 0]);
    },
  );

  it('stays with a thread that its own resource creates again', async () => {
    const memory = memoryOf();
    await say(memory, 'Hello.', [done]);
    await decide(toolkit, { activate: ['notes'] }, { memory, threadId: 'one' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await memory.createThread({ threadId: 'one', resourceId: 'user' });
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([0, 1]);
  });

  it('is read and not changed by a call that only reads its memory', async () => {
    const memory = memoryOf();
    await say(memory, '/report Ann', [done]);
    const before = await stateOf(memory);
    const run = { memory: { thread: 'one', resource: 'user', options: { readOnly: true } } };
    expect(bodiesIn(await say(memory, 'Take notes.', [activate('notes'), done], { run }))).toEqual([1, 1]);
    expect(await stateOf(memory)).toEqual(before);
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([1, 0]);
    const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
    const copy = { memory: { ...run.memory, thread: thread.id } };
    expect(bodiesIn(await say(memory, 'Go on.', [done], { run: copy }))).toEqual([1, 0]);
    expect(await stateOf(memory, thread.id)).toBeUndefined();
  });

  it('is found again in the messages if it is gone', async () => {
    const memory = memoryOf();
    await say(memory, 'Use $report.', [activate('notes'), done]);
    await overwriteState(memory, {});
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([1, 1]);
    expect(await stateOf(memory)).toMatchObject({ skills: { report: {}, notes: {} } });
  });

  it('counts for nothing if it is no state', async () => {
    const memory = memoryOf();
    await say(memory, 'Hello.', [done]);
    await decide(toolkit, { deactivate: ['notes'] }, { memory, threadId: 'one' });
    for (const skills of [7, [], { notes: { by: 'client', at: 1 }, report: null }]) {
      await overwriteState(memory, { skills });
      expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([0, 0]);
    }
  });

  it('is reported as failed if the storage has no place for it', async () => {
    const events: SkillEvent[] = [];
    const skills = createToolkit(catalog, { onEvent: (event) => events.push(event) });
    const memory = memoryOf();
    delete memory.storage.stores?.threadState;
    const reason = 'The storage of the memory keeps no `threadState`. Pass a `store` for the state of skills.';
    const model = await say(memory, 'Use $report.', [activate('notes'), done], { skills });
    expect([observedCalls(model).length, ...bodiesIn(model)]).toEqual([2, 1, 1]);
    expect(events.filter(({ type }) => type === 'state-failed')).toMatchObject([{ reason }]);
    await expect(decide(skills, { activate: ['notes'] }, { memory, threadId: 'one' })).rejects.toThrow(reason);
  });

  it('may be in a store of the application, where no client writes, for threads of a memory', async () => {
    const states = new Map<string, SkillState>();
    const store = {
      load: async (id: string) => states.get(id),
      save: async (id: string, state: SkillState) => void states.set(id, state),
    };
    const memory = memoryOf(2);
    await say(memory, 'Hello.', [done], { store });
    await decide(toolkit, { activate: ['notes'] }, { threadId: 'one', memory, store });
    expect(await stateOf(memory)).toBeUndefined();
    expect(bodiesIn(await say(memory, 'Go on.', [done], { store }))).toEqual([0, 1]);
    expect(await activeSkills(toolkit, { threadId: 'one', memory, store })).toMatchObject([
      { name: 'notes', by: 'code' },
    ]);
    const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
    expect(bodiesIn(await say(memory, 'Go on.', [done], { store, thread: thread.id }))).toEqual([0, 1]);
    // Nobody knows whose conversation this is.
    const config: object = { memory: undefined };
    expect(bodiesIn(await say(memory, 'Hello.', [done], { store, config }))).toEqual([0, 0]);
  });
});

describe('a store that does not answer', () => {
  it('holds up neither the run nor who comes later', async () => {
    const events: SkillEvent[] = [];
    const skills = createToolkit(catalog, { onEvent: (event) => events.push(event) });
    const memory = memoryOf();
    await say(memory, 'Hello.', [done], { skills });
    const hanging = vi.spyOn(await threadStates(memory), 'setState').mockImplementation(() => new Promise(() => {}));
    const { setTimeout: wait } = globalThis;
    const later = (work: () => void, time?: number) => wait(work, time === 5_000 ? 50 : time);
    const hurried = vi.spyOn(globalThis, 'setTimeout').mockImplementation(later as typeof setTimeout);
    const model = await say(memory, 'Use $report.', [activate('notes'), done], { skills });
    hanging.mockRestore();
    hurried.mockRestore();
    expect(bodiesIn(model)).toEqual([1, 1]);
    expect(events.filter(({ type }) => type === 'state-failed').length).toBeGreaterThan(0);
    await decide(toolkit, { activate: ['report'] }, { memory, threadId: 'one' });
    expect(await activeSkills(toolkit, { memory, threadId: 'one' })).toMatchObject([
      { name: 'notes' },
      { name: 'report' },
    ]);
  }, 20_000);
});

describe('activeSkills', () => {
  it('lists who activated what, also what the last step of a run activated', async () => {
    const memory = memoryOf();
    await say(memory, 'Use $report.', [activate('notes')], { run: { maxSteps: 1 } });
    expect(await activeSkills(toolkit, { memory, threadId: 'one' })).toMatchObject([
      { name: 'report', by: 'user' },
      { name: 'notes', by: 'model' },
    ]);
    await decide(toolkit, { deactivate: ['notes'] }, { memory, threadId: 'one' });
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([1, 0]);
  });
});

describe('a sub-agent', () => {
  const delegate = async (more: object = {}) => {
    const sub = scriptedModel([done]);
    const worker = new Agent({
      id: 'worker',
      name: 'worker',
      description: 'Works.',
      instructions: 'You work.',
      model: asConfig(sub),
    });
    const memory = memoryOf();
    const script = [activate('notes'), call('agent-worker', { prompt: '/report it' }), done];
    const model = await say(memory, 'Use $report.', script, { config: { agents: { worker }, ...more } });
    return { sub: observedCalls(sub)[0], model };
  };

  it('inherits neither the catalog nor the instructions of its supervisor', async () => {
    const { sub, model } = await delegate();
    expect(bodiesIn(model)).toEqual([1, 1]);
    expect(JSON.stringify(sub)).not.toMatch(/BODY|Writes notes|activate_skill/);
    expect(sub?.messages.map(({ text }) => text)).toEqual(['Use $report.', '/report it']);
  });

  it('inherits nothing from a supervisor that has the processor and the tools alone, nor past a filter of one call', async () => {
    const sub = scriptedModel([done, done]);
    const config = { id: 'worker', name: 'worker', description: 'Works.', instructions: 'You work.' };
    const worker = new Agent({ ...config, model: asConfig(sub) });
    const delegateTwice = [
      call('agent-worker', { prompt: 'Work.' }),
      activate('notes'),
      call('agent-worker', { prompt: 'More.' }),
      done,
    ];
    const supervisor = new Agent({
      ...config,
      id: 'lead',
      model: asConfig(scriptedModel(delegateTwice)),
      agents: { worker },
      tools: skillTools(toolkit),
      inputProcessors: [skillsProcessor(toolkit)],
    });
    const seen: unknown[] = [];
    const messageFilter = <Message>({ messages }: { messages: Message[] }) => {
      seen.push(...messages);
      return messages;
    };
    await supervisor.generate('Use $report.', { maxSteps: 10, delegation: { messageFilter } });
    // Mastra 1.42 leaves the filter of this call out.
    expect([observedCalls(sub).length, seen.length > 2]).toEqual([2, !isOldest]);
    expect(JSON.stringify([observedCalls(sub), seen])).not.toMatch(/BODY|Writes notes|activate_skill/);
  });

  it('is given what the filter of the application leaves', async () => {
    const seen: unknown[] = [];
    const messageFilter = ({ messages }: { messages: unknown[] }) => {
      seen.push(...messages);
      return [];
    };
    const { sub } = await delegate({ defaultOptions: () => ({ delegation: { messageFilter } }) });
    expect(JSON.stringify(seen)).toContain('Use $report.');
    expect(JSON.stringify(seen)).not.toMatch(/BODY|Writes notes/);
    expect(sub?.messages.map(({ text }) => text)).toEqual(['/report it']);
  });

  it('with its own skills ignores names in its task if mentions are turned off', async () => {
    const sub = scriptedModel([done]);
    const config = {
      id: 'worker',
      name: 'worker',
      description: 'Works.',
      instructions: 'You work.',
      model: asConfig(sub),
    };
    const worker = new Agent(withSkills(config, toolkit, { mentions: false }));
    const script = [call('agent-worker', { prompt: '/report it and $notes' }), done];
    await say(memoryOf(), 'Hello.', script, { config: { agents: { worker } } });
    const [first] = observedCalls(sub);
    expect(first?.system.split('Writes notes.').length).toBe(2);
    expect(JSON.stringify(first?.messages)).not.toContain('BODY');
  });
});

describe('a durable agent', () => {
  // Before Mastra 1.49, a durable agent calls no `processLLMRequest`.
  it.skipIf(isOldest)('is shown the catalog once in each step, and hands nothing of it to a sub-agent', async () => {
    const sub = scriptedModel([done]);
    const part = { id: 'worker', name: 'worker', description: 'Works.', instructions: 'You work.' };
    const agents = { worker: new Agent({ ...part, model: asConfig(sub) }) };
    const model = scriptedModel([
      activate('notes'),
      call('agent-worker', { prompt: 'Work.' }),
      activate('report'),
      done,
    ]);
    const config = { id: 'durable', name: 'durable', instructions: 'You are kind.', model: asConfig(model), agents };
    const durable = createDurableAgent({ agent: new Agent(withSkills(config, toolkit)) });
    new Mastra({ agents: { durable: durable as unknown as Agent }, storage: new InMemoryStore(), logger: false });
    const { output, cleanup } = await durable.stream('Hello.', { maxSteps: 5 });
    await output.consumeStream();
    cleanup();
    expect(observedCalls(model).map(({ system }) => system.split('Writes notes.').length - 1)).toEqual([1, 1, 1, 1]);
    expect(bodiesIn(model)).toEqual([1, 1]);
    expect(JSON.stringify(observedCalls(sub))).toMatch(/^(?!.*(?:BODY|Writes notes|activate_skill)).*You work/);
  });
});

describe('a durable agent of a Mastra that shows it no skills', () => {
  it.runIf(isOldest).each([
    [0, {}],
    // Then its first step looks like that of any other agent.
    [1, { toolChoice: 'auto' }],
  ] as const)('ends with a clear error after %i calls of the model', async (calls, options) => {
    const model = scriptedModel([activate('notes'), done]);
    const config = { id: 'durable', name: 'durable', instructions: 'You are kind.', model: asConfig(model) };
    const durable = createDurableAgent({ agent: new Agent(withSkills(config, toolkit)) });
    new Mastra({ agents: { durable: durable as unknown as Agent }, storage: new InMemoryStore(), logger: false });
    const errors: string[] = [];
    // That version passes the error itself.
    const onError = (error: unknown) => void errors.push(String(error));
    const { output, cleanup } = await durable.stream('Hello.', { maxSteps: 5, onError, ...options });
    await output.consumeStream();
    cleanup();
    expect(observedCalls(model)).toHaveLength(calls);
    expect(errors.join()).toContain('needs `@mastra/core` 1.49.0 or later');
  });
});

describe.skipIf(isOldest)('a message to a running agent', () => {
  it.each([
    ['/report bob', '/report bob'],
    // Mastra puts such a message between tags. The channels of Mastra, such as Slack, send all messages like this.
    [{ contents: '/report bob & co', attributes: { name: 'Jane' } }, '<user name="Jane">/report bob &amp; co</user>'],
  ])(
    'keeps its skill where it was asked for, and no notification is taken for the words of a user: %j',
    async (message, shown) => {
      const memory = memoryOf();
      const target = { resourceId: 'user', threadId: 'one' };
      const execute = async () => {
        agent.sendMessage(message, target);
        for (const contents of ['Use $notes.', '/report bob & co'])
          agent.sendSignal({ type: 'notification', contents }, target);
      };
      const send = createTool({ id: 'send', description: 'Sends.', execute });
      const look = createTool({ id: 'look', description: 'Looks.', execute: async () => 'found' });
      const model = scriptedModel([call('send', {}), call('look', {}), done, done]);
      const base = {
        id: 'agent' as const,
        name: 'agent',
        instructions: 'You are kind.',
        model: asConfig(model),
        memory,
      };
      const events: string[] = [];
      const skills = createToolkit(catalog, { onEvent: ({ type }) => void events.push(type) });
      const agent = new Agent(withSkills({ ...base, tools: { send, look } }, skills));
      const run = { maxSteps: 10, memory: { thread: 'one', resource: 'user' } };
      await (await agent.stream('Hello.', run)).consumeStream();
      await agent.generate('Go on.', run);
      const places = observedCalls(model).map(({ messages }) =>
        messages.flatMap(({ text }) => (text.includes('REPORT-BODY for bob') ? [text.split('\n\n')[0]] : [])),
      );
      expect(places.flat()).toEqual([shown, shown, shown]);
      expect(events.filter((type) => type === 'activated')).toHaveLength(1);
      expect(bodiesIn(model)).toEqual([1, 0]);
    },
  );

  it.each([
    ['user', ['notes']],
    ['notification', []],
  ])('that no model has seen yet counts if a user sent it: %s', async (type, active) => {
    const memory = memoryOf();
    await memory.createThread({ threadId: 'one', resourceId: 'user' });
    const createdAt = new Date();
    const signal = { id: 'sent', type, tagName: type, createdAt: createdAt.toISOString() };
    const parts = [{ type: 'text' as const, text: 'Use $notes.' }];
    const content = { format: 2 as const, parts, metadata: { signal } };
    const message = { id: 'sent', role: 'signal', threadId: 'one', resourceId: 'user', createdAt, content } as const;
    await memory.saveMessages({ messages: [message] });
    const found = await activeSkills(toolkit, { memory, threadId: 'one' });
    expect(found.map(({ name }) => name)).toEqual(active);
  });
});

describe('a call without the skill tools', () => {
  const lookup = createTool({ id: 'lookup', description: 'Looks up.', execute: async () => 'found' });

  it.each<[object, readonly string[]]>([
    [{ activeTools: ['lookup'] }, ['lookup']],
    [{ toolChoice: 'none' }, []],
  ])('mentions neither tool nor catalog: %j', async (run, tools) => {
    const model = await say(memoryOf(), 'Hello.', [done], { config: { tools: { lookup } }, run });
    const [first] = observedCalls(model);
    expect([first?.system, first?.tools.map(({ name }) => name)]).toEqual(['You are kind.', tools]);
  });

  it('mentions no catalog, either, if a processor takes out tools that the call names', async () => {
    const without: InputProcessor = { id: 'without', processInputStep: () => ({ tools: { lookup } }) };
    const config = { tools: { lookup }, inputProcessors: [without] };
    const run = { activeTools: ['lookup', 'activate_skill', 'read_skill_resource'] };
    const model = await say(memoryOf(), 'Hello.', [done], { config, run });
    expect(observedCalls(model)[0]?.system).toBe('You are kind.');
  });
});

describe('the output of a skill tool', () => {
  it('is JSON, and whatever a store made of it becomes words', async () => {
    const tool = skillTools(toolkit)['activate_skill'] as ReturnType<typeof createTool>;
    const output: unknown = await tool.execute?.({ name: 'notes' }, {} as never);
    const parsed = JSON.parse(JSON.stringify(output));
    expect(parsed).toEqual(output);
    expect(tool.toModelOutput?.(parsed)).toEqual({ type: 'text', value: expect.stringContaining('NOTES-BODY') });
    for (const altered of [undefined, null, 7, {}, { text: 7 }, [output]]) {
      const value = 'This answer is gone. Call activate_skill again if you need it.';
      expect(tool.toModelOutput?.(altered as never)).toEqual({ type: 'error-text', value });
    }
  });
});

describe('a file', () => {
  it.each(['deepseek.chat', 'groq.completion'])('is never sent as text: %s is sent a sentence', async (provider) => {
    const files = { 'seal/SKILL.md': '---\nname: seal\ndescription: Seals.\n---\nSeal.\n' };
    const bytes = { 'seal/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]) };
    const skills = createToolkit(await loadCatalog([memorySource({ ...files, ...bytes })]));
    const model = scriptedModel([call('read_skill_resource', { skill: 'seal', path: 'seal.png' }), done]);
    Object.defineProperty(model, 'provider', { value: provider });
    const config = { id: 'agent', name: 'agent', instructions: 'You are kind.', model: asConfig(model) };
    await new Agent(withSkills(config, skills)).generate('Seal it.');
    expect(observedCalls(model).at(-1)).toMatchObject({
      results: ['`seal.png` of skill `seal` is not text: image/png, 6 bytes. This model cannot read it.'],
      files: [],
    });
  });
});
