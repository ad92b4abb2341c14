// The ways around an approval that Mastra has, each of which must end without the call.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { EventEmitterPubSub } from '@mastra/core/events';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import {
  type Catalog,
  type ConsentRecord,
  createToolkit,
  definePolicy,
  loadCatalog,
  type SkillEvent,
  type SkillToolkit,
  type ToolkitOptions,
} from '@skillful/core';
import { fileSource, processRunner } from '@skillful/core/node';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import type { ScriptedTurn } from '@skillful/testing/harness';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { decide, skillsProcessor, skillTools, withSkills } from '../src/index.ts';

const done = { text: 'Done.' };
const call = (tool: string, input: object, id?: string) => ({
  calls: [{ tool, input, ...(id !== undefined && { id }) }],
});
const count = { skill: 'notes', path: 'scripts/count.sh', arguments: ['41'] };
const running = (id?: string) => call('run_skill_script', count, id);
const counted = '<script_output skill="notes" path="scripts/count.sh" exit="0">\n42 pages\n</script_output>';

async function loadSkills(): Promise<Catalog> {
  const directory = await mkdtemp(join(tmpdir(), 'skillful-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, 'notes/scripts'), { recursive: true });
  await writeFile(
    join(directory, 'notes/SKILL.md'),
    '---\nname: notes\ndescription: Writes notes.\nallowed-tools: lookup\n---\nNOTES-BODY\n',
  );
  await writeFile(join(directory, 'notes/scripts/count.sh'), 'echo "$(($1 + 1)) pages"');
  return loadCatalog([fileSource(directory)]);
}

async function createSkills(options: ToolkitOptions = {}): Promise<SkillToolkit> {
  return createToolkit(await loadSkills(), { runner: processRunner(), ...options });
}

/** Starts a process of one server: several share a storage. */
function start(
  toolkit: SkillToolkit,
  script: readonly ScriptedTurn[],
  { storage = new InMemoryStore(), ...more }: Partial<AgentConfig> & { storage?: InMemoryStore } = {},
) {
  const model = scriptedModel(script);
  const config = { id: 'agent', name: 'agent', instructions: 'You are.', model: model as unknown as MastraModelConfig };
  const agent = new Agent(withSkills({ ...config, ...more }, toolkit));
  new Mastra({ agents: { agent }, storage, logger: false });
  return { agent, results: () => observedCalls(model).at(-1)?.results, storage };
}

const asked = (run: { runId?: string | undefined; suspendPayload?: unknown }) => {
  const { toolCallId } = Object(run.suspendPayload);
  return { runId: String(run.runId), toolCallId: String(toolCallId), maxSteps: 10 };
};
const limits = { maxSteps: 10 };

it.each(['asks', 'suspends'])(
  'a question is in the stream of its answer, even if another tool %s first',
  async (how) => {
    const publish = createTool({
      id: 'publish',
      description: 'Publishes.',
      inputSchema: z.object({}),
      suspendSchema: z.object({}),
      resumeSchema: z.object({}),
      requireApproval: how === 'asks',
      execute: async (_, { agent }) => {
        if (how === 'suspends' && agent?.resumeData === undefined) await agent?.suspend({});
        return 'published';
      },
    });
    const toolkit = await createSkills();
    const script: ScriptedTurn = { calls: [{ tool: 'publish', input: {} }, ...running('call_2').calls] };
    const model = scriptedModel([script]) as unknown as MastraModelConfig;
    const config = { id: 'agent', name: 'agent', instructions: 'You are.', model, tools: { publish } };
    const agent = new Agent(withSkills(config, toolkit, { streamEvents: true }));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { fullStream } = await agent.stream('Go.', limits);
    const questions: unknown[] = [];
    for await (const chunk of fullStream) if (chunk.type === 'data-skill') questions.push(chunk.data);
    const question: unknown = expect.stringContaining('Run `scripts/count.sh "41"`');
    expect(questions).toEqual([{ type: 'approval-needed', skill: 'notes', question, call: 'call_2' }]);
  },
);

it.each(['approveToolCall', 'declineToolCall'] as const)(
  'a question is not asked again when the model calls another tool after %s',
  async (answer) => {
    const lookup = createTool({
      id: 'lookup',
      description: 'Looks up.',
      inputSchema: z.object({}),
      execute: async () => 'found',
    });
    const events: SkillEvent[] = [];
    const store = new Map<string, ConsentRecord>();
    const toolkit = await createSkills({ consent: { store }, onEvent: (event) => events.push(event) });
    const look = { tool: 'lookup', input: {} };
    const script = [{ calls: [look, ...running('call_1').calls] }, { calls: [look] }, done];
    const { agent, results } = start(toolkit, script, { tools: { lookup } });
    const waiting = await agent.stream('Go.', limits);
    await waiting.consumeStream();
    const { fullStream } = await agent[answer]({ runId: waiting.runId, toolCallId: 'call_1', ...limits });
    for await (const _ of fullStream);
    expect(results()?.at(-1)).toBe('found');
    expect(events.filter(({ type }) => type === 'approval-needed')).toHaveLength(1);
    expect([...store.values()].filter(({ state }) => state === 'asked')).toEqual([]);
  },
);

it('a call is refused if nobody can be asked, also if another agent of the toolkit asks', async () => {
  const toolkit = await createSkills();
  const storage = new InMemoryStore();
  const shared = { memory: new Memory({ storage }) };
  const memory = { thread: 'one', resource: 'ann' };
  // Its question has no answer yet, and must not count as one.
  await start(toolkit, [running('call_1')], { storage, ...shared }).agent.generate('Count.', { ...limits, memory });
  const model = scriptedModel([running('call_1'), done]);
  const config = { id: 'agent', name: 'agent', instructions: '', model: model as unknown as MastraModelConfig };
  const agent = new Agent(withSkills({ ...config, ...shared }, toolkit, { asks: false }));
  const { text, suspendPayload } = await agent.generate('Count.', { ...limits, memory });
  expect([text, suspendPayload]).toEqual(['Done.', undefined]);
  const refused = 'A person must agree to this call of `notes` first, and nobody has.';
  expect(observedCalls(model).at(-1)?.results).toEqual([refused]);
});

it.each(['the process that asked', 'another process'])('an answer counts in %s, without a memory', async (where) => {
  const policy = definePolicy({ rules: [{ actor: 'model', effect: 'ask' }] });
  const toolkit = await createSkills({ policy });
  const script = [call('activate_skill', { name: 'notes' }), running(), done];
  const process = start(toolkit, script);
  const goOn = (done: number) =>
    where === 'another process' ? start(toolkit, script.slice(done), { storage: process.storage }) : process;
  // As a server does: one for each request.
  const request = () => ({ requestContext: new RequestContext([['tenant', 'north']]) });
  const first = await process.agent.generate('Count.', { ...limits, ...request() });
  expect(first.suspendPayload).toMatchObject({ toolName: 'activate_skill', args: { name: 'notes' } });
  const second = await goOn(1).agent.approveToolCallGenerate({ ...asked(first), ...request() });
  expect(second.suspendPayload).toMatchObject({ toolName: 'run_skill_script', args: count });
  const last = goOn(2);
  expect((await last.agent.approveToolCallGenerate({ ...asked(second), ...request() })).text).toBe('Done.');
  expect(last.results()).toEqual([expect.stringContaining('NOTES-BODY'), counted]);
});

it('the model reads no error of a storage that fails before a call in another process, and the application does', async () => {
  const events: SkillEvent[] = [];
  const toolkit = await createSkills({ onEvent: (event) => events.push(event) });
  const process = start(toolkit, [running()]);
  const first = await process.agent.generate('Count.', limits);
  const workflows = await process.storage.getStore('workflows');
  if (workflows === undefined) throw new Error('The storage has no workflows.');
  const load = workflows.loadWorkflowSnapshot.bind(workflows);
  workflows.loadWorkflowSnapshot = async (run) => {
    // Mastra itself reads the run, too.
    if (new Error().stack?.includes('loadSuspended')) throw new Error('Cannot reach /srv/db.');
    return load(run);
  };
  const other = start(toolkit, [done], { storage: process.storage });
  expect((await other.agent.approveToolCallGenerate(asked(first))).text).toBe('Done.');
  expect(other.results()).toEqual([expect.stringMatching(/^run_skill_script failed for a technical reason, /)]);
  const reason = 'Cannot reach /srv/db.';
  expect(events).toContainEqual({ type: 'tool-failed', tool: 'run_skill_script', reason, tokens: 0 });
});

it('what a person agreed to reaches the model in later turns of another process, and in a copy of the thread', async () => {
  const storage = new InMemoryStore();
  const memory = new Memory({ storage });
  const policy = definePolicy({ rules: [{ actor: 'model', effect: 'ask' }] });
  const toolkit = await createSkills({ policy });
  const read = call('read_skill_resource', { skill: 'notes', path: 'scripts/count.sh' });
  const script = [call('activate_skill', { name: 'notes' }), read, done];
  const inThread = (thread: string) => ({ ...limits, memory: { thread, resource: 'user' } });
  const { agent } = start(toolkit, script, { storage, memory });
  const first = await agent.generate('Read.', inThread('one'));
  const second = await agent.approveToolCallGenerate({ ...asked(first), ...inThread('one') });
  expect(second.suspendPayload).toMatchObject({ toolName: 'read_skill_resource' });
  // The run keeps its thread, whatever an answer says.
  const elsewhere = start(toolkit, [done], { storage, memory });
  await elsewhere.agent.approveToolCallGenerate({ ...asked(second), ...inThread('two') });
  const { thread } = await memory.cloneThread({ sourceThreadId: 'one' });
  for (const id of ['one', thread.id]) {
    const later = start(toolkit, [done], { storage, memory });
    await later.agent.generate('Thanks.', inThread(id));
    expect(later.results()).toEqual([expect.stringContaining('NOTES-BODY'), expect.stringContaining('pages')]);
  }
});

it('a toolkit that never asks holds up no call in another process, beside a tool that a person approved', async () => {
  const tools = {
    publish: createTool({ id: 'publish', description: '', requireApproval: true, execute: async () => 'ok' }),
  };
  const toolkit = await createSkills({ runner: undefined });
  const script = [
    {
      calls: [
        { tool: 'publish', input: {} },
        { tool: 'activate_skill', input: { name: 'notes' } },
      ],
    },
    done,
  ];
  const { agent, storage } = start(toolkit, script, { tools });
  const run = await agent.generate('Go.', limits);
  expect(run.suspendPayload).toMatchObject({ toolName: 'publish' });
  const other = start(toolkit, [done], { tools, storage });
  expect((await other.agent.approveToolCallGenerate(asked(run))).text).toBe('Done.');
  expect(other.results()).toEqual(['ok', expect.stringContaining('NOTES-BODY')]);
});

it('an answer counts for nothing if its question is lost, and once if it is there', async () => {
  const storage = new InMemoryStore();
  const store = new Map();
  const { agent } = start(await createSkills({ consent: { store } }), [running('c1')], { storage });
  const waiting = await agent.generate('Count.', limits);
  expect(store.size).toBe(1);
  store.clear();
  const elsewhere = start(await createSkills({ consent: { store } }), [done], { storage });
  await elsewhere.agent.approveToolCallGenerate(asked(waiting));
  expect(elsewhere.results()).toEqual(['A person must agree to this call of `notes` first, and nobody has.']);
  expect(store.size).toBe(0);
  await expect(elsewhere.agent.approveToolCallGenerate(asked(waiting))).rejects.toThrow();

  const same = start(await createSkills({ consent: { store } }), [running('c1'), done]);
  const again = await same.agent.generate('Count.', limits);
  store.clear();
  await same.agent.approveToolCallGenerate(asked(again));
  expect(same.results()).toEqual(['A person must agree to this call of `notes` first, and nobody has.']);
});

it.each(['the process that asked', 'another process'])(
  'an answer counts for nothing in %s if the skill has left the catalog',
  async (where) => {
    let catalog = await loadSkills();
    const options = { runner: processRunner(), consent: { store: new Map() } };
    const toolkit = createToolkit(() => catalog, options);
    const script = [call('activate_skill', { name: 'notes' }), running(), done];
    const first = start(toolkit, script);
    const waiting = await first.agent.generate('Count.', limits);
    expect(waiting.suspendPayload).toMatchObject({ toolName: 'run_skill_script' });
    catalog = await loadCatalog([]);
    const last =
      where === 'another process'
        ? start(
            createToolkit(() => catalog, options),
            [done],
            first,
          )
        : first;
    await last.agent.approveToolCallGenerate(asked(waiting));
    expect(last.results()?.at(-1)).toBe('No skill `notes`. There are no skills.');
  },
);

it('a refused call asks again, also with the id of the first', async () => {
  const { agent, results } = start(await createSkills(), [running('call_1'), done, running('call_1'), done]);
  const first = await agent.generate('Count.', limits);
  await agent.declineToolCallGenerate({ ...asked(first), reason: 'Not now.' });
  expect(results()).toEqual(['Not now.']);
  const second = await agent.generate('Count.', limits);
  expect(second.finishReason).toBe('suspended');
});

it('the same call twice in one answer is two questions', async () => {
  const twice = { calls: ['c1', 'c2'].map((id) => ({ tool: 'run_skill_script', input: count, id })) };
  const { agent, results } = start(await createSkills(), [twice, done]);
  const first = await agent.generate('Count.', limits);
  const second = await agent.declineToolCallGenerate({ ...asked(first), reason: 'Not this.' });
  expect(second.finishReason).toBe('suspended');
  await agent.approveToolCallGenerate(asked(second));
  expect(results()).toEqual(['Not this.', counted]);
});

it.each([
  ['allowed', call('activate_skill', { name: 'notes' }), false],
  ['that needs a person', running(), true],
])('after an error of the model, a call %s is judged like any other', async (_, made, isAsked) => {
  const model = scriptedModel([made]);
  const doStream = model.doStream.bind(model);
  model.doStream = async (options) => {
    const { stream } = await doStream(options);
    const parts = [];
    for await (const part of stream)
      parts.push(part.type === 'finish' ? { type: 'error' as const, error: new Error('503') } : part);
    return { stream: ReadableStream.from(parts) };
  };
  const { agent } = start(await createSkills(), [], { model: model as unknown as MastraModelConfig });
  const { fullStream } = await agent.stream('Write.', limits);
  const types: string[] = [];
  for await (const { type } of fullStream) types.push(type);
  expect([types.includes('error'), types.includes('tool-call-approval')]).toEqual([true, isAsked]);
});

it('without a storage no one can answer, and nothing runs', async () => {
  const model = scriptedModel([running(), done]);
  const config = { id: 'alone', name: 'alone', instructions: 'You are.', model: model as unknown as MastraModelConfig };
  const agent = new Agent(withSkills(config, await createSkills()));
  const waiting = await agent.generate('Count.', limits);
  expect(waiting.finishReason).toBe('suspended');
  await agent.approveToolCallGenerate(asked(waiting)).catch(() => {});
  expect(observedCalls(model).flatMap((each) => each.results)).not.toContain(counted);
});

it('input processors of a single call that leave ours out end in a refusal', async () => {
  const { agent, results } = start(await createSkills(), [running(), done]);
  const waiting = await agent.generate('Count.', { ...limits, inputProcessors: [] });
  await agent.approveToolCallGenerate({ ...asked(waiting), inputProcessors: [] });
  expect(results()).toEqual(['A person must agree to this call of `notes` first, and nobody has.']);
});

it('tools without the processor refuse instead of asking', async () => {
  const toolkit = await createSkills();
  const model = scriptedModel([running(), done]);
  const config = { id: 'bare', name: 'bare', instructions: 'You are.', model: model as unknown as MastraModelConfig };
  const agent = new Agent({ ...config, tools: skillTools(toolkit) });
  expect((await agent.generate('Count.', limits)).text).toBe('Done.');
  expect(observedCalls(model).at(-1)?.results).toEqual([
    'A person must agree to this call of `notes` first, and nobody has.',
  ]);
  expect(skillsProcessor(toolkit).id).toBe('skillful');
});

it('approval of all calls is left to the policy for skill tools', async () => {
  const { agent, results } = start(await createSkills(), [call('activate_skill', { name: 'notes' }), running(), done]);
  const waiting = await agent.generate('Count.', { ...limits, requireToolApproval: true });
  expect(waiting.suspendPayload).toMatchObject({ toolName: 'run_skill_script' });
  await agent.approveToolCallGenerate(asked(waiting));
  expect(results()).toEqual([expect.stringContaining('NOTES-BODY'), counted]);
});

it('a person is asked about a call of a sub-agent, and answers the agent that delegates', async () => {
  const toolkit = await createSkills();
  const model = scriptedModel([running(), done]);
  const base = { id: 'worker', name: 'worker', description: 'Works.', instructions: 'You work.' };
  const worker = new Agent(withSkills({ ...base, model: model as unknown as MastraModelConfig }, toolkit));
  const memory = new Memory({ storage: new InMemoryStore() });
  const lead = start(toolkit, [call('agent-worker', { prompt: 'Count.' }), done], { agents: { worker }, memory });
  const thread = { memory: { thread: 'one', resource: 'user' } };
  const waiting = await lead.agent.generate('Please.', { ...limits, ...thread });
  expect(waiting.finishReason).toBe('suspended');
  await lead.agent.approveToolCallGenerate({ ...asked(waiting), ...thread });
  expect(observedCalls(model).at(-1)?.results).toEqual([counted]);
});

describe('a durable agent', () => {
  type Kept = { readonly storage?: InMemoryStore; readonly memory?: Memory | undefined };
  const startDurable = (toolkit: SkillToolkit, script: readonly ScriptedTurn[], kept: Kept = {}) => {
    const { storage = new InMemoryStore(), memory } = kept;
    const model = scriptedModel(script);
    const config = { id: 'slow', name: 'slow', instructions: 'You are.', model: model as unknown as MastraModelConfig };
    const agent = createDurableAgent({
      agent: new Agent(withSkills({ ...config, ...(memory && { memory }) }, toolkit)),
    });
    new Mastra({ agents: { agent }, storage, logger: false });
    return { agent, results: () => observedCalls(model).at(-1)?.results };
  };
  const askDurably = async (toolkit: SkillToolkit, script: readonly ScriptedTurn[], kept: Kept = {}) => {
    const started = startDurable(toolkit, script, kept);
    const thread = kept.memory && { memory: { thread: 'one', resource: 'user' } };
    const options = { ...limits, ...thread, requireToolApproval: () => false };
    const { runId, suspendPayload } = await started.agent.generate('Count.', options);
    expect(suspendPayload).toMatchObject({ toolName: 'run_skill_script' });
    return { ...started, runId: String(runId) };
  };

  it('asks only about what the policy asks about', async () => {
    const script = [call('activate_skill', { name: 'notes' }), running(), done];
    const { agent, runId, results } = await askDurably(await createSkills(), script);
    expect((await agent.resumeGenerate(runId, { approved: true })).text).toBe('Done.');
    expect(results()).toEqual([expect.stringContaining('NOTES-BODY'), counted]);
  });

  it('goes on if an event about a skill cannot be published', async () => {
    class BrokenPubSub extends EventEmitterPubSub {
      override async publish(...call: Parameters<EventEmitterPubSub['publish']>): Promise<void> {
        if (JSON.stringify(call).includes('"data-skill"')) throw new Error('The broker is gone.');
        return super.publish(...call);
      }
    }
    const model = scriptedModel([call('activate_skill', { name: 'notes' }), done]);
    const config = { id: 'slow', name: 'slow', instructions: 'You are.', model: model as unknown as MastraModelConfig };
    const inner = new Agent(withSkills(config, await createSkills({ runner: undefined }), { streamEvents: true }));
    const agent = createDurableAgent({ agent: inner, pubsub: new BrokenPubSub() });
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    expect((await agent.generate('Write.', limits)).text).toBe('Done.');
    expect(observedCalls(model).at(-1)?.results).toEqual([expect.stringContaining('NOTES-BODY')]);
  });

  it('runs nothing that a person refuses, and the model reads why', async () => {
    const { agent, runId, results } = await askDurably(await createSkills(), [running(), done]);
    expect((await agent.resumeGenerate(runId, { approved: false, reason: 'Not now.' })).text).toBe('Done.');
    expect(results()).toEqual(['Not now.']);
    await expect(agent.resumeGenerate(runId, { approved: true })).rejects.toThrow();
    expect(results()).toEqual(['Not now.']);
  });

  it('takes an answer once, for the run that was asked, and only in the form of one', async () => {
    const { agent, runId, results } = await askDurably(await createSkills(), [running(), done, done]);
    for (const forged of [{}, { approved: 'yes' }, { approved: 1 }, 'yes', [true]]) {
      await agent.resumeGenerate(runId, forged).catch(() => {});
      expect([forged, results()]).toEqual([forged, []]);
    }
    await expect(agent.resumeGenerate('another', { approved: true })).rejects.toThrow();
    expect(results()).toEqual([]);
    await agent.resumeGenerate(runId, { approved: true });
    expect(results()).toEqual([counted]);
    await expect(agent.resumeGenerate(runId, { approved: true })).rejects.toThrow();
  });

  it('runs nothing if the question is lost, in another process, too', async () => {
    const store = new Map();
    const toolkit = await createSkills({ consent: { store } });
    const storage = new InMemoryStore();
    const kept = { storage, memory: new Memory({ storage }) };
    const { runId } = await askDurably(toolkit, [running(), done], kept);
    store.clear();
    const elsewhere = startDurable(toolkit, [done], kept);
    await elsewhere.agent.resumeGenerate(runId, { approved: true });
    expect(elsewhere.results()).toEqual(['A person must agree to this call of `notes` first, and nobody has.']);
  });

  it('goes on in another process after the answer, if it has a memory', async () => {
    const toolkit = await createSkills();
    const storage = new InMemoryStore();
    for (const [memory, result] of [
      [new Memory({ storage }), counted],
      [undefined, 'A person must agree to this call of `notes` first, and nobody has.'],
    ] as const) {
      const { runId } = await askDurably(toolkit, [running(), done], { storage, memory });
      const elsewhere = startDurable(toolkit, [done], { storage, memory });
      await elsewhere.agent.resumeGenerate(runId, { approved: true });
      expect(elsewhere.results()).toEqual([result]);
    }
  });
});

const tools = Object.fromEntries(
  ['lookup', 'publish', 'fill'].map((id) => [
    id,
    createTool({
      id,
      description: id,
      inputSchema: z.object({}),
      requireApproval: id !== 'fill',
      execute: async (_, { requestContext }) =>
        `${id} ran${requestContext === undefined ? ' without its context' : ''}`,
    }),
  ]),
);
const toolsOf = (...names: string[]) => ({ calls: names.map((tool) => ({ tool, input: {} })) });

it('a person is asked about a tool of the application if its call could not be judged', async () => {
  const toolkit = await createSkills({ unlocks: {} });
  const judges = [createToolkit(() => Promise.reject(new Error('gone')), { unlocks: {} })];
  const judge: SkillToolkit['judge'] = (...given) => (judges.pop() ?? toolkit).judge(...given);
  const { agent, results } = start({ ...toolkit, judge }, [toolsOf('publish'), done], { tools });
  const waiting = await agent.generate('Go.', limits);
  expect(waiting.suspendPayload).toMatchObject({ toolName: 'publish' });
  await agent.approveToolCallGenerate(asked(waiting));
  expect(results()).toEqual(['publish ran']);
});

it('a restriction holds beside the activation and after an approval, and the hook of the application still runs', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'restrict' } });
  const hooked: string[] = [];
  const hooks: AgentConfig['hooks'] = { beforeToolCall: ({ toolName }) => void hooked.push(toolName) };
  const beside = { calls: [{ tool: 'activate_skill', input: { name: 'notes' } }, ...toolsOf('fill').calls] };
  const { agent, results } = start(toolkit, [beside, toolsOf('publish'), done], { tools, hooks });
  expect((await agent.generate('Go.', limits)).text).toBe('Done.');
  expect(results()?.slice(1)).toEqual([
    expect.stringContaining('The active skills do not allow this call of `fill`. They allow `lookup`.'),
    expect.stringContaining('Tool "publish" not found'),
  ]);
  expect(hooked).toEqual(['activate_skill']);

  const storage = new InMemoryStore();
  const memory = new Memory({ storage });
  const thread = { memory: { thread: 'one', resource: 'user' } };
  const first = start(await createSkills(), [call('activate_skill', { name: 'notes' }), toolsOf('publish')], {
    ...{ tools, memory, storage },
  });
  const waiting = await first.agent.generate('Go.', { ...limits, ...thread });
  expect(waiting.suspendPayload).toMatchObject({ toolName: 'publish' });
  const second = start(toolkit, [done], { tools, memory, storage });
  await second.agent.approveToolCallGenerate({ ...asked(waiting), ...thread });
  expect(second.results()?.[1]).toContain('The active skills do not allow this call of `publish`.');
});

it('a restriction holds beside the activation if the hooks of a single call leave ours out', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'restrict' } });
  const beside = { calls: [{ tool: 'activate_skill', input: { name: 'notes' } }, ...toolsOf('fill', 'publish').calls] };
  const { agent, results } = start(toolkit, [beside, done], { tools });
  await agent.generate('Go.', { ...limits, hooks: { beforeToolCall: () => undefined } });
  expect(results()?.slice(1)).toEqual([
    expect.stringContaining('The active skills do not allow this call of `fill`. They allow `lookup`.'),
    expect.stringContaining('The active skills do not allow this call of `publish`. They allow `lookup`.'),
  ]);
});

it('a restriction holds for tools of a single call, and for agents that others delegate to', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'restrict' } });
  const base = { id: 'worker', name: 'worker', description: 'Works.', instructions: 'You work.' };
  const model = scriptedModel([done]);
  const worker = new Agent({ ...base, model: model as unknown as MastraModelConfig });
  const delegation = { tool: 'agent-worker', input: { prompt: 'Work.' } };
  const beside = {
    calls: [{ tool: 'activate_skill', input: { name: 'notes' } }, delegation, ...toolsOf('fill').calls],
  };
  const { agent, results } = start(toolkit, [beside, { calls: [delegation] }, done], { agents: { worker } });
  await agent.generate('Go.', { ...limits, toolsets: { own: { fill: tools['fill'] as (typeof tools)[string] } } });
  expect(results()?.slice(1)).toEqual([
    expect.stringContaining('The active skills do not allow this call of `agent-worker`. They allow `lookup`.'),
    expect.stringContaining('The active skills do not allow this call of `fill`. They allow `lookup`.'),
    expect.stringContaining('Tool "agent-worker" not found'),
  ]);
  expect(observedCalls(model)).toEqual([]);
});

it('a tool that the client runs is left to the client', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'restrict' } });
  const pick = createTool({ id: 'pick', description: 'Picks.', inputSchema: z.object({}) });
  const { agent, results } = start(toolkit, [toolsOf('pick'), done], { tools: { pick } });
  const run = await agent.generate('Go.', limits);
  expect([run.finishReason, run.toolCalls.length, run.toolResults, results()]).toEqual(['tool-calls', 1, [], []]);
});

it('a tool that decides about each call whether to ask does so, unless a skill approves it', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'preapprove' } });
  const pay = createTool({
    id: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ amount: z.number() }),
    requireApproval: ({ amount }, { requestContext = {} } = {}) => amount > Number(requestContext['limit']),
    execute: async ({ amount }) => `${amount} paid`,
  });
  const paying = (amount: number) => call('pay', { amount });
  const { agent, results } = start(toolkit, [paying(5), paying(50), done], { tools: { pay } });
  const request = { requestContext: new RequestContext([['limit', 10]]) };
  const waiting = await agent.generate('Pay.', { ...limits, ...request });
  expect([results(), waiting.suspendPayload]).toEqual([['5 paid'], expect.objectContaining({ args: { amount: 50 } })]);
});

it('a yes to a delegation is judged in another process, if the agent has a memory', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'restrict' } });
  const base = { id: 'worker', name: 'worker', description: 'Works.', instructions: 'You work.' };
  const model = scriptedModel([done]);
  const worker = new Agent({ ...base, model: model as unknown as MastraModelConfig });
  const storage = new InMemoryStore();
  const more = { agents: { worker }, memory: new Memory({ storage }), storage };
  const inThread = { ...limits, memory: { thread: 'one', resource: 'user' } };
  const delegation = { calls: [{ tool: 'agent-worker', input: { prompt: 'Work.' } }] };
  const first = start(toolkit, [delegation], more);
  const waiting = await first.agent.generate('Go.', { ...inThread, requireToolApproval: true });
  expect(waiting.suspendPayload).toMatchObject({ toolName: 'agent-worker' });
  await decide(toolkit, { activate: ['notes'] }, { memory: more.memory, threadId: 'one' });
  const last = start(toolkit, [done], more);
  await last.agent.approveToolCallGenerate({ ...asked(waiting), ...inThread });
  expect(last.results()).toEqual([expect.stringContaining('do not allow this call of `agent-worker`')]);
  expect(observedCalls(model)).toEqual([]);
});

it.each(['activate_skill', 'read_skill_resource'])(
  'a run ends if another tool is called %s, because no one would be asked about its calls',
  async (name) => {
    const ran: string[] = [];
    // As a server of tools may offer it.
    const other = createTool({
      id: name,
      description: 'Deletes all.',
      requireApproval: true,
      execute: async () => ran.push(name),
    });
    const { agent } = start(await createSkills(), [call(name, { name: 'notes' }), done]);
    const run = agent.generate('Go.', { ...limits, toolsets: { server: { [name]: other } } });
    await expect(run).rejects.toThrow(`The application already has a tool \`${name}\`.`);
    expect(ran).toEqual([]);
  },
);

it('what a skill approves is not asked about, and what it unlocks can be called', async () => {
  const toolkit = await createSkills({ allowedTools: { mode: 'preapprove' }, unlocks: { notes: ['fill'] } });
  const script = [
    toolsOf('fill'),
    call('activate_skill', { name: 'notes' }),
    toolsOf('fill', 'lookup'),
    toolsOf('publish'),
  ];
  const { fill, ...others } = tools as Record<string, (typeof tools)[string]>;
  const { agent } = start(toolkit, script, { tools: others });
  const waiting = await agent.generate('Go.', { ...limits, toolsets: { own: { fill } as typeof tools } });
  expect(waiting.suspendPayload).toMatchObject({ toolName: 'publish' });
  const results = waiting.steps.flatMap(({ toolResults }) => toolResults.map(({ payload }) => payload.result));
  expect(results).toEqual([expect.objectContaining({ isError: false }), 'fill ran', 'lookup ran']);
});

it.each(['the process that asked', 'another process'])('a yes is judged in %s, without a memory', async (where) => {
  const toolkit = await createSkills({ allowedTools: { mode: 'restrict' }, unlocks: { notes: ['publish'] } });
  const activation = call('activate_skill', { name: 'notes' });
  const answered = async (script: readonly ScriptedTurn[], more: object = {}) => {
    const first = start(toolkit, script, { tools });
    const { storage } = first;
    const last = where === 'another process' ? start(toolkit, script.slice(-1), { tools, storage }) : first;
    const request = () => ({ ...more, requestContext: new RequestContext([['tenant', 'north']]) });
    const waiting = await first.agent.generate('Go.', { ...limits, ...request() });
    await last.agent.approveToolCallGenerate({ ...asked(waiting), ...request() });
    return last.results()?.[1];
  };
  expect(await answered([activation, toolsOf('publish'), done])).toContain('publish ran');
  const beside = { calls: [...activation.calls, ...toolsOf('fill').calls] };
  const refusal = 'The active skills do not allow this call of `fill`.';
  expect(await answered([beside, done], { requireToolApproval: true })).toContain(refusal);
});
