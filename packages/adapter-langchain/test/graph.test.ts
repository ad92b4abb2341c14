// A graph of one's own: StateGraph and ToolNode, with a trimmed prompt.

import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { Annotation, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createToolkit, loadCatalog, type SkillState, type SkillToolkit } from '@skillful/core';
import { AIMessage, HumanMessage, SystemMessage } from 'langchain';
import { describe, expect, it } from 'vitest';
import { prepareModelCall, type SkillsOptions, skillTools } from '../src/index.ts';
import {
  activate,
  bodiesIn,
  catalog,
  isOld,
  lookUp,
  lookup,
  type Model,
  modelThatCalls,
  systemOf,
  thread,
  toolkitOf,
  user,
} from './support.ts';

const config = thread('one');

/** Compiles a graph whose model reads the last messages only. */
function compile(model: Model, toolkit: SkillToolkit, last = 50, options: SkillsOptions = {}) {
  const tools = [...skillTools(toolkit, options), lookup];
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    skills: Annotation<SkillState | undefined>({ reducer: toolkit.merge, default: () => undefined }),
  });
  return new StateGraph(State)
    .addNode('model', async ({ messages, skills }, nodeConfig) => {
      const call = await prepareModelCall(toolkit, {
        systemMessage: new SystemMessage('You are kind.'),
        messages: messages.slice(-last),
        conversation: messages,
        state: skills,
        tools,
        config: nodeConfig,
        model,
      });
      const answer = await model.bindTools(call.tools).invoke([call.systemMessage, ...call.messages]);
      return { messages: [await call.accept(answer)], skills: call.state };
    })
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition)
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
}

describe('a graph of one’s own', () => {
  it('says “already active” of no text that is no longer there', async () => {
    const model = modelThatCalls([activate('report')], [lookUp], [activate('report')]);
    const graph = compile(model, toolkitOf(), 1);
    const { messages } = await graph.invoke(user('Make a report.'), config);
    const results = messages.filter(({ name }) => name === 'activate_skill').map(({ text }) => text);
    expect(results).toEqual([expect.stringContaining('REPORT-BODY'), expect.stringContaining('REPORT-BODY')]);
    expect(systemOf(model)).toMatch(/^You are kind\.\n\n[\s\S]*Writes report\./);
  });

  // An older tool node does not say which call it makes.
  it.skipIf(isOld)('shows instructions to the model only, if it wants that', async () => {
    const model = modelThatCalls([activate('report')]);
    const graph = compile(model, toolkitOf(), 50, { outputs: 'redacted' });
    for (const text of ['Make a report.', 'Go on.']) {
      expect(JSON.stringify(await graph.invoke(user(text), config))).not.toContain('REPORT-BODY');
      expect(bodiesIn(model)).toEqual(['tool REPORT']);
    }
  });

  it('gets the text of a tool that it calls itself, and a message for a call of the model', async () => {
    const [tool] = skillTools(toolkitOf());
    const input = { name: 'report' };
    const text = expect.stringContaining('REPORT-BODY');
    expect(await tool?.invoke(input)).toEqual(text);
    const call = { type: 'tool_call', id: 'one', name: 'activate_skill', args: input } as const;
    const message = { content: text, tool_call_id: 'one', status: 'success' };
    expect(await tool?.invoke(call)).toMatchObject(message);
  });

  it('keeps what is active, each text once, in its place or moved', async () => {
    const toolkit = toolkitOf();
    const model = modelThatCalls([activate('report'), activate('notes')], [activate('report')]);
    const graph = compile(model, toolkit);
    await graph.invoke(user('/mail bob'), config);
    expect(bodiesIn(model)).toEqual(['human MAIL bob', 'tool REPORT', 'tool NOTES']);
    const { values } = await graph.getState(config);
    const skills = await toolkit.decide({ deactivate: ['notes'] }, [], { state: values.skills });
    await graph.updateState(config, { skills });
    await graph.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual(['human MAIL bob', 'tool REPORT']);
    const trimmed = modelThatCalls();
    const later = compile(trimmed, toolkit, 1);
    later.checkpointer = graph.checkpointer ?? false;
    await later.invoke(user('And?'), config);
    expect(bodiesIn(trimmed)).toEqual(['human REPORT', 'human MAIL (given earlier in the conversation)']);
  });

  it('corrects a call of a skill’s name, and asks for the catalog once in each step', async () => {
    let asked = 0;
    const toolkit = createToolkit(() => {
      asked += 1;
      return catalog;
    });
    const model = modelThatCalls([{ name: 'report', args: {} }]);
    const { messages } = await compile(model, toolkit).invoke(user('Make a report.'), config);
    expect(messages.map(({ name }) => name)).toContain('activate_skill');
    expect(bodiesIn(model)).toEqual(['tool REPORT']);
    expect(asked).toBe(isOld ? 3 : 2);
  });

  it('takes messages without ids, in the same place each time', async () => {
    const toolkit = toolkitOf();
    const messages = [new HumanMessage('Hello.'), new HumanMessage('/mail bob'), new HumanMessage('Hello.')];
    const decided = await toolkit.decide({ activate: ['policy'] }, []);
    const first = await prepareModelCall(toolkit, { messages, tools: [], state: decided });
    const later = [...messages.map(({ content }) => new HumanMessage(content)), new HumanMessage('Go on.')];
    const second = await prepareModelCall(toolkit, { messages: later, tools: [], state: first.state });
    const texts = first.messages.map(({ text }) => text);
    expect(texts.map((text) => /MAIL|POLICY/.exec(text)?.[0])).toEqual([undefined, 'MAIL', 'POLICY']);
    expect(second.messages.map(({ text }) => text)).toEqual([...texts, 'Go on.']);
    expect(JSON.stringify(first.state)).not.toMatch(/Hello|bob/);
  });

  it('knows a message without an id that is said again, if earlier ones are trimmed', async () => {
    const toolkit = toolkitOf();
    const conversation = ['/mail bob', '/mail carl', '/mail bob', 'Go on.'].map((text) => new HumanMessage(text));
    const { state } = await prepareModelCall(toolkit, { messages: conversation.slice(0, 3), tools: [] });
    const messages = conversation.slice(-2);
    const call = await prepareModelCall(toolkit, { messages, conversation, tools: [], state });
    expect(call.messages.map(({ text }) => /MAIL-BODY to \w+/.exec(text)?.[0])).toEqual([
      'MAIL-BODY to bob',
      undefined,
    ]);
  });

  it('identifies a message without an id by its words, not by JSON of a file in it, whose words activate nothing', async () => {
    const toJSON = () => expect.unreachable();
    const data = Object.assign(Uint8Array.of(1), { toJSON });
    const content = [
      { type: 'image', mimeType: 'image/png', data },
      { type: 'text-plain', mimeType: 'text/plain', text: '$notes' },
      { type: 'text', text: 'Use $mail.' },
    ];
    const call = await prepareModelCall(toolkitOf(), { messages: [new HumanMessage({ content })], tools: [] });
    expect(call.active.map(({ name }) => name)).toEqual(['mail']);
  });

  it('takes a summary for no words of a user, but as a place', async () => {
    const toolkit = toolkitOf();
    const { state } = await prepareModelCall(toolkit, { messages: [new HumanMessage('/mail bob')], tools: [] });
    const additional_kwargs = { lc_source: 'summarization' };
    const messages = [new HumanMessage({ content: 'They used $notes.', additional_kwargs })];
    const call = await prepareModelCall(toolkit, { messages, tools: [], state });
    expect(call.active.map(({ name }) => name)).toEqual(['mail']);
    expect(call.messages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^They used \$notes\.[\s\S]*MAIL-BODY/),
    ]);
  });

  it('moves instructions behind a summary by Anthropic, because the model reads nothing before it', async () => {
    const summary = { type: 'compaction', content: 'They asked for a mail.' };
    // The second is its form in a model with `outputVersion: 'v1'`.
    for (const part of [summary, { type: 'non_standard', value: summary }]) {
      const messages = [new HumanMessage('/mail bob'), new AIMessage({ content: [part] }), new HumanMessage('Go on.')];
      const call = await prepareModelCall(toolkitOf(), { messages, tools: [] });
      expect(call.messages.map(({ text }) => text.includes('MAIL-BODY'))).toEqual([false, false, true]);
    }
  });

  it('adds skills to the system message of a history, because some providers refuse a second one', async () => {
    const tools = skillTools(toolkitOf());
    const messages = [new SystemMessage('You are kind.'), new HumanMessage('Go.')];
    const call = await prepareModelCall(toolkitOf(), { messages, tools });
    expect([call.systemMessage, ...call.messages].map(({ type }) => type)).toEqual(['system', 'human']);
    expect(call.systemMessage.text).toMatch(/^You are kind\.\n\n[\s\S]*Writes report\./);
    const systemMessage = new SystemMessage('You write.');
    const others = await prepareModelCall(toolkitOf(), { messages, systemMessage, tools });
    expect(others.systemMessage.text).toMatch(/^You write\.\n\n/);
    expect(others.messages).toEqual(messages);
    const none = createToolkit(await loadCatalog([]));
    const plain = await prepareModelCall(none, { messages, tools });
    expect([plain.systemMessage, ...plain.messages]).toEqual(messages);
  });

  it('knows tools in the form of OpenAI', async () => {
    const toolkit = toolkitOf();
    const tools = skillTools(toolkit).map((tool) => convertToOpenAITool(tool));
    const call = await prepareModelCall(toolkit, { messages: [new HumanMessage('Hello.')], tools });
    expect(call.systemMessage.text).toContain('activate_skill');
    expect(call.tools).toHaveLength(2);
  });

  it('puts moved instructions behind the system message if no words of a user are left', async () => {
    const toolkit = toolkitOf();
    const { state } = await prepareModelCall(toolkit, { messages: [new HumanMessage('/mail bob')], tools: [] });
    const { systemMessage, messages } = await prepareModelCall(toolkit, {
      messages: [new SystemMessage('Be kind.')],
      tools: [],
      state,
    });
    expect([systemMessage, ...messages].map(({ type }) => type)).toEqual(['system', 'human']);
    expect(messages[0]?.content).toContain('MAIL-BODY');
    expect(messages[0]?.response_metadata).toEqual({}); // with a version of parts, OpenAI's integration would send a part
  });
});
