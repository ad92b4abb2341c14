import { setTimeout } from 'node:timers/promises';
import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createToolkit, loadCatalog, memorySource, type SkillContext } from '@skillful/core';
import {
  type AgentMiddleware,
  AIMessage,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  createMiddleware,
  fakeModel,
  ToolMessage,
  type ToolRuntime,
  tool,
} from 'langchain';
import { describe, expect, it } from 'vitest';
import { activeSkills, decide, type StatefulAgent, skillsMiddleware } from '../src/index.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog);
const config = { configurable: { thread_id: 'one' } };
const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
const call = (name: string, args: object = {}, id: string = crypto.randomUUID()) => ({
  name,
  args,
  id,
  type: 'tool_call' as const,
});
const schema = { type: 'object' as const, properties: {} };
const ask = tool(async () => `answered ${interrupt('Really?')}`, { name: 'ask', description: 'Asks.', schema });
const lookup = tool(async () => 'found', { name: 'lookup', description: 'Looks up.', schema });

/** A model that gives one answer after the other, and then says again and again that it is done. */
function modelThatSays(...answers: readonly AIMessage[]) {
  const model = fakeModel();
  for (const answer of answers) model.respond(answer);
  for (let turn = 0; turn < 5; turn++) model.respond(new AIMessage('Done.'));
  return model;
}

const calling = (...tool_calls: ReturnType<typeof call>[]) => new AIMessage({ content: '', tool_calls });

function bodiesIn(model: ReturnType<typeof fakeModel>): readonly number[] {
  const text = (model.calls.at(-1)?.messages ?? []).map((message) => message.text).join('\n');
  return ['REPORT-BODY', 'NOTES-BODY'].map((phrase) => text.split(phrase).length - 1);
}

function open(model: ReturnType<typeof fakeModel>, skills = toolkit, more: AgentMiddleware[] = []) {
  const middleware: AgentMiddleware[] = [...more, skillsMiddleware(skills)];
  return createAgent({ model, checkpointer: new MemorySaver(), tools: [ask, lookup], middleware });
}

/** An agent as a `RemoteGraph` shows it: without channels, and with `null` for the result of a call that has none. */
function remoteOf({ graph }: StatefulAgent): StatefulAgent {
  const getState: StatefulAgent['graph']['getState'] = async (given) => {
    const state = await graph.getState(given);
    return { ...state, tasks: state.tasks.map((task) => ({ ...task, result: Object(task).result ?? null })) };
  };
  return { graph: { getState, updateState: graph.updateState.bind(graph) } };
}

describe('decide', () => {
  it('leaves a conversation that is over as it is', async () => {
    const agent = open(modelThatSays());
    await agent.invoke(user('Hello.'), config);
    await decide(toolkit, { activate: ['report'] }, { agent, config });
    expect((await agent.graph.getState(config)).next).toEqual([]);
  });

  it('finds the skills of a request, also without an agent', async () => {
    const ofTenant = createToolkit(({ request }: SkillContext) =>
      Object(request).tenant === 'north' ? catalog : loadCatalog([]),
    );
    const decided = (tenant: string) => decide(ofTenant, { activate: ['report'] }, { config: { context: { tenant } } });
    expect(await decided('north')).toMatchObject({ _skillful: { skills: { report: { by: 'code' } } } });
    await expect(decided('south')).rejects.toThrow('report');
  });

  it('is refused after a step that failed half-way, because LangGraph would leave out its other calls', async () => {
    let fails = true;
    const stop = tool(
      async () => {
        await setTimeout(20);
        if (!fails) return 'stopped';
        fails = false;
        throw new Error('The process ends.');
      },
      { name: 'stop', description: 'Stops.', schema },
    );
    const rethrow = createMiddleware({ name: 'Rethrow', wrapToolCall: (request, handler) => handler(request) });
    const model = modelThatSays(calling(call('lookup'), call('stop')));
    const middleware = [rethrow, skillsMiddleware(toolkit)];
    const agent = createAgent({ model, checkpointer: new MemorySaver(), tools: [lookup, stop], middleware });
    await expect(agent.invoke(user('Go.'), config)).rejects.toThrow('The process ends.');
    for (const each of [agent, remoteOf(agent)])
      await expect(decide(toolkit, { activate: ['report'] }, { agent: each, config })).rejects.toThrow(
        'Continue it first',
      );
    const { messages } = await agent.invoke(null, config);
    expect(messages.map(({ text }) => text).slice(-3)).toEqual(['found', 'stopped', 'Done.']);
    await decide(toolkit, { activate: ['report'] }, { agent, config });
  });

  it('works in a conversation that has not begun', async () => {
    const model = modelThatSays();
    const agent = open(model);
    await decide(toolkit, { activate: ['report'] }, { agent, config });
    await agent.invoke(user('Hello.'), config);
    expect(bodiesIn(model)).toEqual([1, 0]);
  });

  it('works in a tool, which returns its update', async () => {
    const model = modelThatSays(calling(call('end')));
    const execute = async (_: unknown, { toolCallId: tool_call_id }: ToolRuntime) => {
      const message = new ToolMessage({ content: 'Ended.', tool_call_id });
      return new Command({ update: { ...(await decide(toolkit, { deactivate: ['report'] })), messages: [message] } });
    };
    const middleware = [skillsMiddleware(toolkit)];
    const tools = [tool(execute, { name: 'end', description: 'Ends.', schema })];
    const agent = createAgent({ model, checkpointer: new MemorySaver(), tools, middleware });
    await agent.invoke(user('/report'), config);
    expect([bodiesIn(model), await activeSkills(toolkit, { agent, config })]).toEqual([[0, 0], []]);
  });

  it('changes nothing for another agent that goes on after a run, even if no agent has a name', async () => {
    const first = open(modelThatSays());
    await decide(toolkit, { activate: ['report'] }, { agent: first, config });
    const { messages } = await first.invoke(user('Hello.'), config);
    const model = modelThatSays();
    await open(model).invoke({ messages }, { configurable: { thread_id: 'two' } });
    expect(bodiesIn(model)).toEqual([0, 0]);
  });

  it('changes nothing for another agent that gets the messages of a run', async () => {
    const middleware = [skillsMiddleware(toolkit)];
    const second = modelThatSays();
    const other = createAgent({ name: 'second', model: second, checkpointer: new MemorySaver(), middleware });
    const delegate = async (_: unknown, { state }: ToolRuntime) => {
      const { messages } = await other.invoke({ messages: Object(state).messages }, config);
      return messages.at(-1)?.text;
    };
    const tools = [tool(delegate, { name: 'delegate', description: 'Delegates.', schema })];
    const first = modelThatSays(calling(call('delegate')));
    const agent = createAgent({ name: 'first', model: first, checkpointer: new MemorySaver(), tools, middleware });
    await decide(toolkit, { activate: ['report'] }, { agent, config });
    await agent.invoke(user('Hello.'), config);
    expect([first, second].map(bodiesIn)).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it('changes one conversation and no other', async () => {
    const model = modelThatSays();
    const agent = open(model);
    await decide(toolkit, { activate: ['report'] }, { agent, config });
    await agent.invoke(user('Hello.'), { configurable: { thread_id: 'two' } });
    expect(bodiesIn(model)).toEqual([0, 0]);
  });

  it.each([
    ['after', [calling(call('activate_skill', { name: 'report' })), calling(call('ask'))]],
    ['in the step of', [calling(call('activate_skill', { name: 'report' }), call('ask'))]],
  ])('can go with the answer to a tool that waits %s an activation', async (_, answers) => {
    const model = modelThatSays(...answers);
    const agent = open(model);
    const paused = await agent.invoke(user('Make a report.'), config);
    expect(JSON.stringify(paused)).toContain('Really?');
    await expect(decide(toolkit, { deactivate: ['report'] }, { agent, config })).rejects.toThrow(/Command/);
    const update = await decide(toolkit, { deactivate: ['report'] });
    const { messages } = await agent.invoke(new Command({ resume: 'yes', update }), config);
    expect(messages.slice(-2).map(({ text }) => text)).toEqual(['answered yes', 'Done.']);
    expect(bodiesIn(model)).toEqual([0, 0]);
  });

  it('passes the context of the request to the catalog function', async () => {
    const empty = await loadCatalog([]);
    const isNorth = ({ request }: SkillContext) => JSON.stringify(request) === '{"tenant":"north"}';
    const skills = createToolkit((context) => (isNorth(context) ? catalog : empty));
    const agent = open(modelThatSays(), skills);
    const north = { ...config, context: { tenant: 'north' } };
    await expect(decide(skills, { activate: ['report'] }, { agent, config: north })).resolves.toHaveProperty(
      '_skillful',
    );
    await expect(decide(skills, { activate: ['report'] }, { agent, config })).rejects.toMatchObject({
      code: 'skill-unknown',
    });
  });

  it('takes a call without a result for one that was not done, as a server tells it, also after a run that failed', async () => {
    const model = fakeModel().respond(new Error('Overloaded.')).respond(new AIMessage('Done.'));
    const agent = open(model);
    await expect(agent.invoke(user('Hello.'), config)).rejects.toThrow('Overloaded.');
    const remote = remoteOf(agent);
    await decide(toolkit, { activate: ['report'] }, { agent: remote, config });
    expect(await activeSkills(toolkit, { agent: remote, config })).toMatchObject([{ name: 'report' }]);
  });

  it('can be stored at an earlier checkpoint, whose calls were all done', async () => {
    const agent = open(modelThatSays());
    await agent.invoke(user('Hello.'), config);
    for await (const { next, config: earlier } of agent.graph.getStateHistory(config)) {
      if (next[0] === 'model_request') await decide(toolkit, { activate: ['report'] }, { agent, config: earlier });
    }
    expect(await activeSkills(toolkit, { agent, config })).toMatchObject([{ name: 'report' }]);
  });

  it('is rejected without a checkpointer, because nothing could store it', async () => {
    const agent = createAgent({ model: modelThatSays(), middleware: [skillsMiddleware(toolkit)] });
    await expect(decide(toolkit, { deactivate: ['report'] }, { agent, config })).rejects.toThrow(/checkpointer/i);
  });

  it('is rejected by a graph that does not keep the state of skills, such as one around the agent', async () => {
    const inner = createAgent({ model: modelThatSays(), middleware: [skillsMiddleware(toolkit)] });
    const outer = new StateGraph(MessagesAnnotation).addNode('agent', inner.graph).addEdge(START, 'agent');
    const graph = outer.compile({ checkpointer: new MemorySaver() });
    await graph.invoke(user('Hello.'), config);
    const without = createAgent({ model: modelThatSays(), checkpointer: new MemorySaver() });
    await without.invoke(user('Hello.'), config);
    // A `RemoteGraph` hides what the server keeps, and the server ignores other fields.
    const remote = { getState: without.graph.getState.bind(without.graph), updateState: async () => config };
    for (const agent of [{ graph }, without, { graph: remote }]) {
      const decided = decide(toolkit, { deactivate: ['report'] }, { agent, config });
      await expect(decided).rejects.toThrow(/skillsMiddleware/);
    }
  });
});

describe('ids of calls that come again', () => {
  it('keep each activation of one run apart', async () => {
    const again = (name: string, args: object = {}) => calling(call(name, args, 'call_0'));
    const model = modelThatSays(
      again('activate_skill', { name: 'report' }),
      again('lookup'),
      again('activate_skill', { name: 'notes' }),
    );
    await open(model).invoke(user('Do it.'), config);
    expect(bodiesIn(model)).toEqual([1, 1]);
  });

  it('keep the results of one answer apart, in this run and in later ones', async () => {
    const again = (name: string) => call('activate_skill', { name }, 'call_0');
    const model = modelThatSays(calling(again('report'), again('notes')));
    const agent = open(model);
    const results = [expect.stringContaining('REPORT-BODY'), expect.stringContaining('NOTES-BODY')];
    for (const words of ['Do it.', 'Go on.']) {
      await agent.invoke(user(words), config);
      const messages = model.calls.at(-1)?.messages ?? [];
      expect(messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text)).toEqual(results);
      expect(bodiesIn(model)).toEqual([1, 1]);
    }
  });
});

describe('`excludeTools` with the names of the skill tools', () => {
  it.each([
    ['spares their results', toolkit.tools.map(({ name }) => name), '<skill_content name="report"'],
    ['or they are cleared', [], '[cleared]'],
  ])('%s', async (_, excludeTools, beginning) => {
    const edit = new ClearToolUsesEdit({ trigger: { messages: 1 }, keep: { messages: 0 }, excludeTools });
    const model = modelThatSays(calling(call('activate_skill', { name: 'report' })), calling(call('lookup')));
    await open(model, toolkit, [contextEditingMiddleware({ edits: [edit] })]).invoke(user('Do it.'), config);
    const results = model.calls.at(-1)?.messages.filter(({ type }) => type === 'tool') ?? [];
    expect(results.map(({ text }) => text.slice(0, beginning.length))).toEqual([
      beginning,
      '[cleared]'.slice(0, beginning.length),
    ]);
    expect(bodiesIn(model)).toEqual([1, 0]);
  });
});
