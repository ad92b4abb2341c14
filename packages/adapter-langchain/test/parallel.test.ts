// Agents that work at the same time in one graph, on the same messages and with the same model, which numbers its calls.

import type { BaseMessage } from '@langchain/core/messages';
import { Annotation, Command, MemorySaver, MessagesAnnotation, Send, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type SkillEvent,
  type SkillToolkit,
  type ToolkitOptions,
} from '@skillful/core';
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  providerStrategy,
  ToolMessage,
  tool,
} from 'langchain';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { activeSkills, decide, prepareModelCall, skillsMiddleware, skillTools } from '../src/index.ts';
import { catalog, isOld, lookup, type Model, thread, toolkitOf } from './support.ts';

const call = (name: string, args: object) => ({ id: 'call_1', name, args, type: 'tool_call' as const });
const calling = (name: string, args: object) => new AIMessage({ content: '', tool_calls: [call(name, args)] });
const schema = { type: 'object' as const, properties: {} };
const activation = () => calling('activate_skill', { name: 'report' });

/** A model that makes a call, and repeats the result once it reads that, also if another process goes on. */
function repeating(answer: () => AIMessage) {
  const made = answer();
  const say = (messages: readonly BaseMessage[]): AIMessage => {
    const isAnswered = messages.some(
      (message) => AIMessage.isInstance(message) && message.tool_calls?.[0]?.name === made.tool_calls?.[0]?.name,
    );
    return isAnswered ? new AIMessage(messages.at(-1)?.text ?? '') : made;
  };
  return fakeModel().respond(say).respond(say);
}

const Work = Annotation.Root({
  ...MessagesAnnotation.spec,
  tasks: Annotation<readonly string[]>,
  said: Annotation<readonly string[]>({ reducer: (one, other) => [...one, ...other], default: () => [] }),
});
type Job = { readonly task: string; readonly messages: BaseMessage[] };

/** Creates a promise that is resolved by a function. */
function createGate() {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open?.(), opened };
}

describe('conversations that continue the same messages at the same time', () => {
  const said = (after: { readonly messages: readonly BaseMessage[] }): string => after.messages.at(-1)?.text ?? '';

  it.each([
    ['an answer of an agent', false],
    ['results', true],
  ])('know nothing of each other, even if no agent has a name: after %s', async (_, endsWithResults) => {
    const events: SkillEvent[] = [];
    const toolkit = toolkitOf({ unlocks: { report: ['publish'] }, onEvent: (event) => events.push(event) });
    const skills = skillsMiddleware(toolkit, { mentions: false });
    const publish = tool(async () => 'published', { name: 'publish', description: 'P.', schema });
    const open = (model: ReturnType<typeof fakeModel>, more: readonly AgentMiddleware[] = []) =>
      createAgent({ model, tools: [lookup, publish], middleware: [skills, ...more] });
    const planning = fakeModel().respond(calling('lookup', {})).respond(new AIMessage('The plan.'));
    const { messages } = await open(planning).invoke({ messages: [new HumanMessage('Go.')] });
    const shared = endsWithResults ? messages.slice(0, -1) : messages;
    const gate = createGate();
    const wait = createMiddleware({
      name: 'Wait',
      wrapModelCall: async (request, handler) => gate.opened.then(() => handler(request)),
    });
    const late = open(
      repeating(() => calling('publish', {})),
      [wait],
    ).invoke({ messages: shared });
    const first = await open(repeating(activation)).invoke({ messages: shared });
    gate.open();
    expect(said(first)).toContain('REPORT-BODY');
    expect(said(await late)).toBe('`publish` is only available while `report` is active.');
    const again = await Promise.all([1, 2].map(() => open(repeating(activation)).invoke({ messages: shared })));
    for (const after of again) expect(said(after)).toContain('REPORT-BODY');
    expect(events.filter(({ type }) => type === 'activated')).toHaveLength(3);
  });

  it.skipIf(isOld)('get instructions of their own in a graph of one’s own', async () => {
    const events: SkillEvent[] = [];
    const toolkit = toolkitOf({ onEvent: (event) => events.push(event) });
    const tools = new ToolNode(skillTools(toolkit));
    const answer = new AIMessage({ content: '', tool_calls: [{ ...call('lookup', {}), id: 'call_0' }] });
    await (await prepareModelCall(toolkit, { messages: [new HumanMessage('Go.')], tools: [] })).accept(answer);
    const found = new ToolMessage({ content: 'found', name: 'lookup', tool_call_id: 'call_0' });
    const shared = [new HumanMessage('Go.'), answer, found];
    const calls = await Promise.all([1, 2].map(() => prepareModelCall(toolkit, { messages: shared, tools: [] })));
    for (const { accept } of calls) {
      const { messages } = await tools.invoke({ messages: [...shared, await accept(activation())] });
      expect(messages[0]?.text).toContain('REPORT-BODY');
    }
    expect(events.filter(({ type }) => type === 'activated')).toHaveLength(2);
  });
});

it('threads that share a message keep their own state, also with structured responses', async () => {
  const toolkit = toolkitOf();
  const gate = createGate();
  const open = (waits: boolean) =>
    createAgent({
      model: fakeModel().respond(new AIMessage('{"city":"Rome"}')),
      responseFormat: providerStrategy({ schema: z.object({ city: z.string() }) }),
      checkpointer: new MemorySaver(),
      middleware: [
        createMiddleware({ name: 'Wait', afterModel: async () => (waits ? await gate.opened : undefined) }),
        skillsMiddleware(toolkit),
      ],
    });
  const shared = new HumanMessage('Go.');
  const [first, second] = [open(true), open(false)];
  await decide(toolkit, { activate: ['report'] }, { agent: second, config: thread('two') });
  const waiting = first.invoke({ messages: [shared] }, thread('one'));
  await second.invoke({ messages: [shared] }, thread('two'));
  gate.open();
  await waiting;
  expect(await activeSkills(toolkit, { agent: first, config: thread('one') })).toEqual([]);
  expect(await activeSkills(toolkit, { agent: second, config: thread('two') })).toMatchObject([{ name: 'report' }]);
});

it('sub-agents of one thread that share a message keep their own state, also with structured responses', async () => {
  const toolkit = toolkitOf();
  const gate = createGate();
  const open = (model: Model, mentions: boolean) =>
    createAgent({
      model,
      responseFormat: providerStrategy({ schema: z.object({ city: z.string() }) }),
      checkpointer: true,
      middleware: [
        createMiddleware({ name: 'Wait', afterModel: async () => (mentions ? undefined : await gate.opened) }),
        createMiddleware({ name: 'Open', afterAgent: () => (mentions ? gate.open() : undefined) }),
        skillsMiddleware(toolkit, mentions ? {} : { mentions: false }),
      ],
    });
  const answers = () => fakeModel().respond(new AIMessage('{"city":"Rome"}')).respond(new AIMessage('{"city":"Oslo"}'));
  const deaf = answers();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('deaf', open(deaf, false).graph)
    .addNode('listening', open(answers(), true).graph)
    .addEdge(START, 'deaf')
    .addEdge(START, 'listening')
    .compile({ checkpointer: new MemorySaver() });
  for (const words of ['/report', 'Go on.']) await graph.invoke({ messages: [new HumanMessage(words)] }, thread('one'));
  expect(deaf.calls).toHaveLength(2);
  expect(JSON.stringify(deaf.calls)).not.toContain('REPORT-BODY');
});

it('agents that share messages do not share skills if their tools have other names', async () => {
  const other = memorySource({ 'report/SKILL.md': '---\nname: report\ndescription: Publishes.\n---\nOTHER-BODY\n' });
  const options = { unlocks: { report: ['lookup'] }, toolNames: { activate: 'activate_other_skill' } };
  const speak = async (model: Model, toolkit: SkillToolkit, before: readonly BaseMessage[], words: string) => {
    const agent = createAgent({ model, tools: [lookup], middleware: [skillsMiddleware(toolkit)] });
    return (await agent.invoke({ messages: [...before, new HumanMessage(words)] })).messages;
  };
  const messages = await speak(repeating(activation), toolkitOf(), [], 'Go.');
  const operating = repeating(() => calling('lookup', {}));
  const after = await speak(operating, createToolkit(await loadCatalog([other]), options), messages, 'Publish.');
  expect(after.at(-1)?.text).toContain('`lookup` is only available while `report` is active.');
  expect(JSON.stringify(operating.calls)).not.toContain('OTHER-BODY');
});

describe('answers to the questions of several agents in one thread', () => {
  const policy = definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] });

  it.each([
    ['a graph', true],
    ['tools', false],
  ])('each count for their own call, although the ids of the calls are the same: in %s', async (_, inGraph) => {
    const options: ToolkitOptions = { policy };
    const checkpointer = new MemorySaver();
    /** As another process would have it. */
    const open = () => {
      const toolkit = createToolkit(catalog, { ...options, consent: { store } });
      const work = async (task: string) => {
        const skills = skillsMiddleware(toolkit, { mentions: false });
        const worker = createAgent({ name: 'worker', model: repeating(activation), middleware: [skills] });
        return (await worker.invoke({ messages: [new HumanMessage(task)] })).messages.at(-1)?.text ?? '';
      };
      if (inGraph)
        return new StateGraph(Work)
          .addNode('work', async ({ task }: Job) => ({ said: [await work(task)] }))
          .addConditionalEdges(START, () => ['A', 'B', 'C'].map((task) => new Send('work', { task })))
          .compile({ checkpointer });
      const properties = { task: { type: 'string' } } as const;
      const schema = { type: 'object', properties } as const;
      const delegate = tool(async ({ task }: { task: string }) => work(task), {
        name: 'delegate',
        description: 'D.',
        schema,
      });
      const tool_calls = ['A', 'B', 'C'].map((task) => ({ ...call('delegate', { task }), id: task }));
      const model = fakeModel()
        .respond(new AIMessage({ content: '', tool_calls }))
        .respond(new AIMessage('Done.'));
      return createAgent({ model, tools: [delegate], checkpointer });
    };
    const store = new Map();
    const config = thread('one');
    const graph = open();
    const asked = await graph.invoke({ messages: [new HumanMessage('Go.')] }, config);
    const questions: readonly { readonly id: string }[] = Object(asked).__interrupt__;
    expect(questions).toHaveLength(3);
    const resume = Object.fromEntries(questions.map(({ id }) => [id, { decisions: [{ type: 'approve' }] }]));
    const done = await graph.invoke(new Command({ resume }), config);
    const texts: readonly string[] = inGraph
      ? Object(done).said
      : done.messages.flatMap(({ type, text }) => (type === 'tool' ? text : []));
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toContain('REPORT-BODY');
  });
});
