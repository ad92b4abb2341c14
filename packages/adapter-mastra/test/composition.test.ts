// Agents with skills as parts of larger things: networks, workflows, and runs that wait for a person.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryServerCache } from '@mastra/core/cache';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { type InputProcessor, ResponseCache } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { activeSkills, decide, skillsProcessor, skillTools, withSkills } from '../src/index.ts';
import { stateOf } from './thread-state.ts';

const catalog = await loadCatalog([
  memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
    'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
    'mail/SKILL.md': '---\nname: mail\ndescription: Writes mail.\n---\nMAIL $ARGUMENTS\n',
  }),
]);
const toolkit = createToolkit(catalog);
const done = { text: 'Done.' };
const activate = (name: string) => ({ calls: [{ tool: 'activate_skill', input: { name } }] });
const thread = { thread: 'one', resource: 'user' };

type Model = ReturnType<typeof scriptedModel>;

function configOf(id: string, model: Model, more: Partial<AgentConfig> = {}): AgentConfig {
  const base = { id, name: id, description: `The ${id}.`, instructions: `You are the ${id}.` };
  return { ...base, model: model as unknown as MastraModelConfig, ...more };
}

function bodiesIn(model: Model): readonly number[] {
  const { system, messages } = observedCalls(model).at(-1) ?? {};
  const last = JSON.stringify([system, messages]);
  return ['REPORT-BODY', 'NOTES-BODY'].map((phrase) => last.split(phrase).length - 1);
}

/** Opens a database on disk, as a process does that begins. */
function createDatabase(): () => LibSQLStore {
  const directory = mkdtempSync(join(tmpdir(), 'skillful-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return () => new LibSQLStore({ id: 'storage', url: `file:${join(directory, 'mastra.db')}` });
}

it('in a network, the router is shown no catalog and each agent has its own skills', async () => {
  const storage = createDatabase()();
  const route = { primitiveId: 'worker', primitiveType: 'agent', prompt: '/report it', selectionReason: 'It works.' };
  const end = { isComplete: true, completionReason: 'It is done.', finalResult: 'Done.' };
  const router = scriptedModel([{ text: JSON.stringify(route) }, { text: JSON.stringify(end) }]);
  const model = scriptedModel([activate('notes'), done]);
  const worker = new Agent(withSkills(configOf('worker', model), toolkit, { mentions: false }));
  const memory = new Memory({ storage });
  const lead = new Agent(withSkills(configOf('lead', router, { memory, agents: { worker } }), toolkit));
  new Mastra({ agents: { lead, worker }, storage, logger: false });
  const chunks: string[] = [];
  for await (const { type } of await lead.network('Please.', { memory: thread, maxSteps: 3 })) chunks.push(type);
  expect(chunks).toContain('agent-execution-event-tool-result');
  expect(JSON.stringify(observedCalls(router))).not.toMatch(/BODY|Writes notes/);
  expect(observedCalls(model).map(({ system }) => system.split('Writes notes.').length - 1)).toEqual([1, 1]);
  expect(bodiesIn(model)).toEqual([0, 1]);
});

it('tools of the application still run at once if the policy asks no one', async () => {
  const running: string[] = [];
  let most = 0;
  const slow = (id: string) =>
    createTool({
      id,
      description: 'Works.',
      execute: async () => {
        most = Math.max(most, running.push(id));
        await setTimeout(100);
        running.pop();
      },
    });
  const model = scriptedModel([
    {
      calls: [
        { tool: 'one', input: {} },
        { tool: 'two', input: {} },
      ],
    },
    done,
  ]);
  const tools = { one: slow('one'), two: slow('two') };
  await new Agent(withSkills(configOf('worker', model, { tools }), toolkit)).generate('Please.');
  expect(most).toBe(2);
});

it('approval of all calls asks about no skill call if the policy asks no one', async () => {
  const model = scriptedModel([activate('notes'), { calls: [{ tool: 'work', input: {} }] }, done]);
  const work = createTool({ id: 'work', description: 'Works.', execute: async () => 'Worked.' });
  const agent = new Agent(withSkills(configOf('worker', model, { tools: { work } }), toolkit));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const { suspendPayload } = await agent.generate('Please.', { requireToolApproval: true });
  expect(suspendPayload).toMatchObject({ toolName: 'work' });
});

it('a processor of the application can prepare each model call with skills itself', async () => {
  const model = scriptedModel([activate('notes'), { text: 'Both.' }]);
  const skills = skillsProcessor(toolkit);
  const own: InputProcessor = {
    id: 'own',
    processInputStep: async (step) => skills.processInputStep?.(step),
    processLLMRequest: async (call) => {
      const prompt = call.prompt.filter(({ content }) => !JSON.stringify(content).includes('secret'));
      return skills.processLLMRequest?.({ ...call, prompt });
    },
  };
  const config = configOf('writer', model, { tools: skillTools(toolkit), inputProcessors: [own] });
  const messages = ['A secret.', '/report it'].map((content) => ({ role: 'user' as const, content }));
  expect((await new Agent(config).generate(messages, { maxSteps: 3 })).text).toBe('Both.');
  expect(bodiesIn(model)).toEqual([1, 1]);
  for (const { system, messages } of observedCalls(model)) {
    expect(system).toContain('Writes notes.');
    expect(JSON.stringify(messages)).not.toContain('secret');
  }
});

it('in a workflow, an agent is a step with its skills', async () => {
  const model = scriptedModel([activate('notes'), done]);
  const step = createStep(new Agent(withSkills(configOf('writer', model), toolkit)));
  const { inputSchema, outputSchema } = step;
  const workflow = createWorkflow({ id: 'flow', inputSchema, outputSchema }).then(step).commit();
  new Mastra({ workflows: { workflow }, storage: createDatabase()(), logger: false });
  const run = await workflow.createRun();
  const result = await run.start({ inputData: { prompt: '/report it' } });
  expect(result).toMatchObject({ status: 'success', result: { text: 'Done.' } });
  expect(bodiesIn(model)).toEqual([1, 1]);
});

it('a run that waits for a person goes on in another process, with what was decided meanwhile', async () => {
  const open = createDatabase();
  const ran: unknown[] = [];
  const start = (model: Model) => {
    const storage = open();
    const publish = createTool({
      id: 'publish',
      description: 'Publishes.',
      requireApproval: true,
      execute: async () => ran.push('published'),
    });
    const memory = new Memory({ storage, options: { lastMessages: 2 } });
    const agent = new Agent(withSkills(configOf('agent', model, { memory, tools: { publish } }), toolkit));
    new Mastra({ agents: { agent }, storage, logger: false });
    return { agent, memory };
  };
  const first = start(scriptedModel([activate('report'), { calls: [{ tool: 'publish', input: {} }] }]));
  const waiting = await first.agent.generate('Publish the report.', { maxSteps: 10, memory: thread });
  expect([waiting.finishReason, ran]).toEqual(['suspended', []]);
  await decide(toolkit, { activate: ['notes'] }, { memory: start(scriptedModel([])).memory, threadId: 'one' });

  const model = scriptedModel([activate('report'), done]);
  const second = start(model);
  const approval = {
    runId: String(waiting.runId),
    toolCallId: String(waiting.suspendPayload?.toolCallId),
    maxSteps: 10,
  };
  const { text } = await second.agent.approveToolCallGenerate({ ...approval, memory: thread });
  expect([text, ran, bodiesIn(model)]).toEqual(['Done.', ['published'], [1, 1]]);
  expect(await activeSkills(toolkit, { memory: second.memory, threadId: 'one' })).toMatchObject([
    { name: 'report', by: 'model' },
    { name: 'notes', by: 'code' },
  ]);
});

describe('a processor that redacts', () => {
  const replace = <Value extends object>(value: Value, said: RegExp): Value =>
    Object.assign(value, JSON.parse(JSON.stringify(value).replaceAll(said, 'SOMETHING')));
  const redactors = (said: RegExp): [string, InputProcessor][] => [
    ['the prompt', { id: 'redact', processLLMRequest: ({ prompt }) => ({ prompt: replace([...prompt], said) }) }],
    [
      'the messages',
      {
        id: 'redact',
        processInput: ({ messages }) => {
          for (const { content } of messages) replace(content, said);
          return messages;
        },
      },
    ],
  ];
  const told = async (inputProcessors: InputProcessor[]) => {
    const events: unknown[] = [];
    const memory = new Memory({ storage: createDatabase()() });
    const model = scriptedModel([done, done]);
    const agent = new Agent(
      withSkills(
        configOf('agent', model, { memory, inputProcessors }),
        createToolkit(catalog, { onEvent: (event) => events.push(event) }),
      ),
    );
    for (const text of ['/mail bob@example.com', 'Thanks.']) await agent.generate(text, { memory: thread });
    return { said: JSON.stringify(observedCalls(model)), kept: JSON.stringify([events, await stateOf(memory)]) };
  };

  it.each(redactors(/bob@example.com/g))(
    '%s comes first: no address in arguments, events or the state',
    async (_, own) => {
      const { said, kept } = await told([own]);
      expect(said.match(/MAIL [A-Za-z@.]+/g)).toEqual(['MAIL SOMETHING', 'MAIL SOMETHING']);
      expect(said + kept).not.toContain('example.com');
    },
  );

  it.each(redactors(/\/mail bob/g))('%s hides a name that a user wrote: nothing is active', async (_, own) => {
    const { said, kept } = await told([own]);
    expect(said + kept).not.toMatch(/MAIL |"mail":|activated/);
  });

  it('leaves out a message in which a user named a skill: nothing is active', async () => {
    const { said, kept } = await told([
      {
        id: 'redact',
        processLLMRequest: ({ prompt }) => ({
          prompt: prompt.filter((each) => !JSON.stringify(each).includes('/mail')),
        }),
      },
    ]);
    expect(said + kept).not.toMatch(/MAIL |"mail":|activated/);
  });
});

it.each([
  ['withSkills', (options: object) => withSkills(configOf('one', scriptedModel([])), toolkit, options)],
  ['skillTools', (options: object) => skillTools(toolkit, options)],
  ['skillsProcessor', (options: object) => skillsProcessor(toolkit, options)],
])('a misspelt option is refused by %s', (_, create) => {
  const refused = expect.objectContaining({ code: 'options-invalid', message: expect.stringContaining('`mentoins`') });
  expect(() => create({ mentoins: false })).toThrow(refused);
});

it('a cache of responses gives no answer from before a skill began', async () => {
  for (const asFunction of [false, true]) {
    const memory = new Memory({ storage: new InMemoryStore() });
    const list = [new ResponseCache({ cache: new InMemoryServerCache() })];
    const model = scriptedModel([{ text: 'Without.' }, { text: 'With.' }]);
    const config = configOf('agent', model, { memory, inputProcessors: asFunction ? () => list : list });
    const agent = new Agent(withSkills(config, toolkit));
    const ask = async (thread: string) =>
      (await agent.generate('Report.', { memory: { thread, resource: 'user' } })).text;
    await memory.createThread({ threadId: 'three', resourceId: 'user' });
    await decide(toolkit, { activate: ['report'] }, { memory, threadId: 'three' });
    expect([await ask('one'), await ask('two'), await ask('three')]).toEqual(['Without.', 'Without.', 'With.']);
  }
});
