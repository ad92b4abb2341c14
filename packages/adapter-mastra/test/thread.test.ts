import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { type InputProcessor, ToolCallFilter } from '@mastra/core/processors';
import type { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog, memorySource, type SkillEvent } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { describe, expect, it } from 'vitest';
import { type AgentMemory, activeSkills, decide, type SkillThread, withSkills } from '../src/index.ts';
import { overwriteState, stateOf, threadStates } from './thread-state.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
  'plan/SKILL.md': '---\nname: plan\ndescription: Plans.\ndisable-model-invocation: true\n---\nPLAN-BODY\n',
  'plan/references/steps.md': 'One step.\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog);

type Model = ReturnType<typeof scriptedModel>;
type Thread = Awaited<ReturnType<Memory['getThreadById']>>;

const activate = (name: string) => ({ calls: [{ tool: 'activate_skill', input: { name } }] });
const done = { text: 'Done.' };
const lookup = createTool({ id: 'lookup', description: 'Looks something up.', execute: async () => 'found' });
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const memoryOf = (): Memory => new Memory({ storage: new InMemoryStore(), options: { lastMessages: 4 } });

const onlyTheUser: InputProcessor = {
  id: 'only-the-user',
  processLLMRequest: ({ prompt }) => ({ prompt: prompt.filter(({ role }) => role === 'system' || role === 'user') }),
};

async function say(
  memory: Memory,
  user: string,
  script: Parameters<typeof scriptedModel>[0],
  more: Partial<AgentConfig<'agent'>> = {},
  skills = toolkit,
): Promise<Model> {
  const model = scriptedModel(script);
  const config = { id: 'agent' as const, name: 'agent', instructions: 'You are kind.', memory, tools: { lookup } };
  const agent = new Agent(withSkills({ ...config, model: model as unknown as MastraModelConfig, ...more }, skills));
  await agent.generate(user, { maxSteps: 10, memory: { thread: 'one', resource: 'user' } });
  return model;
}

function bodiesIn(model: Model): readonly number[] {
  const last = observedCalls(model).at(-1);
  const text = [last?.system, ...(last?.messages ?? []).map(({ text: said }) => said)].join('\n');
  return ['REPORT-BODY', 'NOTES-BODY'].map((phrase) => text.split(phrase).length - 1);
}

/** A memory that takes its time, so that two who read and write a state at once lose what one of them wrote. */
async function slowMemory(lastMessages = 2): Promise<Memory> {
  const memory = new Memory({ storage: new InMemoryStore(), options: { lastMessages } });
  const states = await threadStates(memory);
  const getState = states.getState.bind(states);
  const setState = states.setState.bind(states);
  states.getState = async <State>(key: Parameters<typeof getState>[0]) => {
    const state = await getState<State>(key);
    await wait(5);
    return state;
  };
  states.setState = async (state) => {
    await wait(5);
    await setState(state);
  };
  return memory;
}

describe('two runs on one thread at once', () => {
  it('lose nothing of what each activated', async () => {
    const memory = await slowMemory();
    await say(memory, 'Hello.', [done]);
    await Promise.all([
      say(memory, 'Make a report.', [activate('report'), done]),
      say(memory, 'Write notes.', [activate('notes'), done]),
    ]);
    const later = await say(memory, 'Go on.', [done], { inputProcessors: [onlyTheUser] });
    expect(bodiesIn(later)).toEqual([1, 1]);
  });

  it('lose none of two decisions', async () => {
    const memory = await slowMemory(20);
    await say(memory, 'Hello.', [done]);
    const thread = { memory, threadId: 'one' };
    await Promise.all([
      decide(toolkit, { activate: ['report'] }, thread),
      decide(toolkit, { activate: ['notes'] }, thread),
    ]);
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([1, 1]);
  });

  it('lose no decision that the application takes meanwhile', async () => {
    const memory = await slowMemory();
    await say(memory, 'Make a report.', [activate('report'), done]);
    await Promise.all([
      say(memory, 'Write notes.', [activate('notes'), { calls: [{ tool: 'lookup', input: {} }] }, done]),
      decide(toolkit, { deactivate: ['report'] }, { memory, threadId: 'one' }),
    ]);
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([0, 1]);
  });

  it('write again what another process has overwritten', async () => {
    const memory = memoryOf();
    const overwrite = createTool({
      id: 'overwrite',
      description: 'Overwrites.',
      execute: async () => {
        await overwriteState(memory, { skills: [] });
        return 'overwritten';
      },
    });
    const script = [activate('report'), { calls: [{ tool: 'overwrite', input: {} }] }, done];
    await say(memory, 'Hello.', [done]);
    await decide(toolkit, { activate: ['notes'] }, { memory, threadId: 'one' });
    await say(memory, 'Make a report.', script, { tools: { overwrite } });
    const later = await say(memory, 'Go on.', [done], { inputProcessors: [onlyTheUser] });
    expect(bodiesIn(later)).toEqual([1, 1]);
  });
});

describe('a memory that fails', () => {
  class FailingMemory extends Memory {
    failing = false;

    override async getThreadById(input: { threadId: string }): Promise<Thread> {
      if (this.failing) throw new Error('The store is gone.');
      return super.getThreadById(input);
    }
  }

  const open = async () => {
    const memory = new FailingMemory({ storage: new InMemoryStore() });
    const events: SkillEvent[] = [];
    const skills = createToolkit(catalog, { onEvent: (event) => events.push(event) });
    await say(memory, 'Hello.', [done], {}, skills);
    const failures = () => events.filter(({ type }) => type === 'state-failed');
    return { memory, skills, failures };
  };

  it('to write ends no model call, is reported, and leaves the skill active in the run', async () => {
    const { memory, skills, failures } = await open();
    (await threadStates(memory)).setState = () => Promise.reject(new Error('The disk is full.'));
    const model = await say(memory, 'Go.', [activate('report'), done], { inputProcessors: [onlyTheUser] }, skills);
    expect([observedCalls(model).length, ...bodiesIn(model)]).toEqual([2, 1, 0]);
    expect(failures()).toMatchObject([{ reason: 'The disk is full.', about: { thread: 'one', agent: 'agent' } }]);
  });

  it('to read in the middle of a run ends no model call, either', async () => {
    const { memory, skills, failures } = await open();
    const failNow = createTool({
      id: 'fail',
      description: 'Fails.',
      execute: async () => {
        memory.failing = true;
        return 'failing';
      },
    });
    const inputProcessors: InputProcessor[] = [
      onlyTheUser,
      {
        id: 'mend',
        // Mastra itself reads the thread when a run ends.
        processLLMResponse: () => {
          memory.failing = false;
        },
      },
    ];
    const script = [activate('report'), { calls: [{ tool: 'fail', input: {} }] }, done];
    const model = await say(memory, 'Go.', script, { inputProcessors, tools: { fail: failNow } }, skills);
    expect([observedCalls(model).length, ...bodiesIn(model)]).toEqual([3, 1, 0]);
    expect(failures()).toMatchObject([{ reason: 'The store is gone.', about: { thread: 'one', agent: 'agent' } }]);
  });
});

describe('a memory that a function creates', () => {
  it.each<[string, AgentMemory]>([
    ['is given the storage of Mastra', () => new Memory({ options: { lastMessages: 1 } })],
    [
      'takes the storage of Mastra',
      async ({ mastra }) => {
        const storage = mastra?.getStorage();
        if (storage === undefined) throw new Error('There is no storage.');
        return new Memory({ storage, options: { lastMessages: 1 } });
      },
    ],
  ])('%s, and loses no skill', async (_, memory) => {
    const storage = new InMemoryStore();
    const turn = async (user: string, script: Parameters<typeof scriptedModel>[0]) => {
      const model = scriptedModel(script);
      const config = { id: 'agent', name: 'agent', instructions: 'You are kind.', memory };
      const agent = new Agent(withSkills({ ...config, model: model as unknown as MastraModelConfig }, toolkit));
      new Mastra({ agents: { agent }, storage, logger: false });
      await agent.generate(user, { memory: { thread: 'one', resource: 'user' } });
      return { model, memory: await agent.getMemory() };
    };
    await turn('Make a report.', [activate('report'), done]);
    await turn('Thanks.', [done]);
    const last = await turn('Go on.', [done]);
    expect(bodiesIn(last.model)).toEqual([1, 0]);
    expect(await activeSkills(toolkit, { memory: last.memory, threadId: 'one' })).toMatchObject([{ name: 'report' }]);
  });

  it('keeps a storage of its own', async () => {
    const own = new InMemoryStore();
    const model = scriptedModel([done]) as unknown as MastraModelConfig;
    const config = { id: 'agent', name: 'agent', instructions: 'You are kind.', model };
    const agent = new Agent(withSkills({ ...config, memory: () => new Memory({ storage: own }) }, toolkit));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    await agent.generate('Hello.', { memory: { thread: 'one', resource: 'user' } });
    const thread = await new Memory({ storage: own }).getThreadById({ threadId: 'one' });
    expect(thread?.resourceId).toBe('user');
  });
});

describe('decide', () => {
  it('reject if the memory has no such thread', async () => {
    const thread = { memory: memoryOf(), threadId: 'nowhere' };
    await expect(decide(toolkit, { deactivate: ['report'] }, thread)).rejects.toThrow(
      "The store has no conversation `nowhere`. Create it first, and pass the agent's own memory or store.",
    );
  });

  it.each([
    ['the id of the thread is misspelt', { memory: memoryOf(), thread: 'one' }],
    ['there is no memory either', {}],
  ])('reject if %s, instead of losing the decision', async (_, thread: object) => {
    const decided = decide(toolkit, { activate: ['report'] }, thread as SkillThread);
    await expect(decided).rejects.toMatchObject({ code: 'options-invalid' });
  });

  it('refuse a misspelt owner, as activeSkills, because the thread of another resource would be read', async () => {
    const memory = memoryOf();
    await say(memory, 'Make a report.', [activate('report'), done]);
    const thread: SkillThread & { readonly resourceID: string } = { memory, threadId: 'one', resourceID: 'stranger' };
    const misspelt = { code: 'options-invalid', message: expect.stringContaining('`resourceID`') };
    await expect(decide(toolkit, { deactivate: ['report'] }, thread)).rejects.toMatchObject(misspelt);
    await expect(activeSkills(toolkit, thread)).rejects.toMatchObject(misspelt);
  });

  it('reach no thread of another resource, as activeSkills', async () => {
    const memory = memoryOf();
    await say(memory, 'Make a report.', [activate('report'), done]);
    const thread = { memory, threadId: 'one', resourceId: 'stranger' };
    await expect(decide(toolkit, { deactivate: ['report'] }, thread)).rejects.toThrow(/no conversation `one`/);
    expect(await activeSkills(toolkit, thread)).toEqual([]);
    expect(await activeSkills(toolkit, { ...thread, resourceId: 'user' })).toMatchObject([{ name: 'report' }]);
  });

  it('take a memory that is found per request', async () => {
    const memory = memoryOf();
    await say(memory, 'Hello.', [done]);
    // The function gets a request even if there is none.
    const find = ({ requestContext }: { readonly requestContext: RequestContext }) =>
      requestContext.get('tenant') === undefined ? memory : memoryOf();
    await decide(toolkit, { activate: ['report'] }, { memory: find, threadId: 'one' });
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([1, 0]);
  });

  it('let the model read the files of what is kept from models', async () => {
    const memory = memoryOf();
    await say(memory, 'Hello.', [done]);
    await decide(toolkit, { activate: ['plan'] }, { memory, threadId: 'one' });
    const input = { skill: 'plan', path: 'references/steps.md' };
    const reading = { calls: [{ tool: 'read_skill_resource', input }] };
    const model = await say(memory, 'Go on.', [reading, done]);
    expect(observedCalls(model).at(-1)?.results.at(-1)).toContain('One step.');
  });

  it('are found again in a store that returns keys in another order', async () => {
    const memory = memoryOf();
    await say(memory, 'Make a report.', [activate('report'), done]);
    await decide(toolkit, { deactivate: ['report'] }, { memory, threadId: 'one' });
    const state = Object(reversed(await stateOf(memory)));
    expect(state).toMatchObject({ skills: { report: { by: 'code', ended: true } } });
    await overwriteState(memory, state);
    expect(bodiesIn(await say(memory, 'Go on.', [done]))).toEqual([0, 0]);
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
}

describe('a filter of tool calls', () => {
  it('takes the result of a skill tool out of the prompt, and not the skill', async () => {
    const memory = memoryOf();
    const script = [activate('report'), { calls: [{ tool: 'lookup', input: {} }] }, done];
    await say(memory, 'Make a report.', script);
    const model = await say(memory, 'Go on.', [done], { inputProcessors: [new ToolCallFilter()] });
    expect([observedCalls(model)[0]?.results, bodiesIn(model)]).toEqual([[], [1, 0]]);
  });
});
