// Holds conversations through createAgent with LangChain's own fake model, and tells what the model was given.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type BaseMessage, RemoveMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { SkillToolkit } from '@skillful/core';
import {
  type AdapterConversation,
  type AdapterHarness,
  type AdapterRun,
  type AdapterSession,
  type AdapterSessionOptions,
  lookupResult,
  messagesOfTurn,
  type ObservedCall,
  type ObservedFile,
  type ObservedMessage,
  type ObservedTool,
  publishResult,
  type ScriptedCall,
  type ScriptedTurn,
  type WaitingCall,
} from '@skillful/testing/harness';
import {
  type AgentMiddleware,
  AIMessage,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  fakeModel,
  type HITLRequest,
  humanInTheLoopMiddleware,
  SystemMessage,
  summarizationMiddleware,
  ToolMessage,
  tool,
} from 'langchain';
import { activeSkills, decide, skillsMiddleware, unlessApproved } from '../src/index.ts';
import { isOld, use } from './support.ts';

export const harness: AdapterHarness = {
  framework: 'LangChain',
  asksPeople: true,
  cannotSkipQuestions: isOld,
  converse,
  openSession,
};

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, script, stream, signal, request, mentions } = conversation;
  const scripted = scriptedModel(script);
  const agent = createAgent({
    model: scripted.model,
    systemPrompt: system,
    middleware: [skillsMiddleware(toolkit, { mentions, about: { tenant: 'acme' } })],
  });
  const input = { messages: [{ role: 'user' as const, content: user }] };
  const config = {
    ...(signal === undefined ? {} : { signal }),
    ...(request === undefined ? {} : { context: request }),
  };
  let messages: readonly BaseMessage[] = [];
  if (stream) {
    for await (const state of await agent.stream(input, { ...config, streamMode: 'values' })) messages = state.messages;
  } else {
    messages = (await agent.invoke(input, config)).messages;
  }
  return { calls: observe(scripted), answer: messages.at(-1)?.text ?? '' };
}

interface ScriptedModel {
  readonly model: ReturnType<typeof fakeModel>;
  /** The tools that were bound for each call. */
  readonly boundTools: readonly ObservedTool[][];
}

/** Creates a fake model that plays a script, one turn a call, and records the tools that are bound for each call. */
function scriptedModel(script: readonly ScriptedTurn[]): ScriptedModel {
  const boundTools: ObservedTool[][] = [];
  const model = fakeModel();
  // A model that takes every kind of file: what another one cannot take, it is not sent.
  Object.defineProperty(model, 'profile', { value: { imageInputs: true, pdfInputs: true, audioInputs: true } });
  for (const turn of script) {
    if ('text' in turn) model.respond(new AIMessage(turn.text));
    else model.respond(new AIMessage({ content: '', tool_calls: turn.calls.map(createCall) }));
  }
  const bindTools = model.bindTools.bind(model);
  model.bindTools = (tools) => {
    boundTools.push(
      tools.map((tool) => {
        const { name, description = '', parameters } = convertToOpenAITool(tool as never).function;
        return { name, description, inputSchema: parameters };
      }),
    );
    return bindTools(tools);
  };
  return { model, boundTools };
}

/** The fake model's own `respondWithTools` numbers its messages anew in each model, which a checkpointer takes for the same. */
function createCall({ tool, input, id = crypto.randomUUID() }: ScriptedCall) {
  return { name: tool, args: input as Record<string, unknown>, id, type: 'tool_call' as const };
}

function observe({ model, boundTools }: ScriptedModel): readonly ObservedCall[] {
  return model.calls.map(({ messages }, index) => ({
    system: textsOf(messages.filter((message) => SystemMessage.isInstance(message))).join('\n\n'),
    tools: boundTools[index] ?? [],
    messages: messages.flatMap(observeMessage),
    results: messages.filter((message) => ToolMessage.isInstance(message)).map(textOf),
    files: messages.flatMap(filesOf),
  }));
}

function filesOf({ content }: BaseMessage): readonly ObservedFile[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) => {
    const { mimeType: type, data, image_url: image } = Object(block);
    const [, mediaType = type, bytes = data] = /^data:(.*);base64,(.*)$/.exec(image?.url) ?? [];
    // LangChain's providers know MPEG audio by its older name.
    return mediaType === undefined ? [] : [{ mediaType: mediaType.replace('/mp3', '/mpeg'), data: bytes }];
  });
}

const textsOf = (messages: readonly BaseMessage[]): string[] => messages.map((message) => message.text);

const roles: Readonly<Record<string, ObservedMessage['role']>> = { human: 'user', ai: 'assistant', tool: 'tool' };

function observeMessage(message: BaseMessage): readonly ObservedMessage[] {
  const role = roles[message.type];
  return role === undefined ? [] : [{ role, text: textOf(message) }];
}

/** The text parts of a message, with an empty line between them. */
function textOf({ content }: BaseMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('\n\n');
}

const lookup = tool(async () => lookupResult, {
  name: 'lookup',
  description: 'Looks something up.',
  schema: { type: 'object', properties: { query: { type: 'string' } } },
});

const publish = tool(async () => publishResult, {
  name: 'publish',
  description: 'Publishes something.',
  schema: { type: 'object', properties: { title: { type: 'string' } } },
});

function askBeforePublishing(toolkit: SkillToolkit): AgentMiddleware {
  const asked = { allowedDecisions: ['approve', 'reject'], when: unlessApproved(toolkit) };
  return use(humanInTheLoopMiddleware, { interruptOn: { publish: asked } });
}

/** The calls that interrupts ask about, as `ID#INDEX`. */
function waitingIn(result: object): readonly WaitingCall[] {
  const { __interrupt__: interrupts = [] } = result as { __interrupt__?: { id: string; value: HITLRequest }[] };
  return interrupts.flatMap(({ id, value }) =>
    value.actionRequests.map(({ name: tool, args: input, description: question }, index) => {
      return { id: `${id}#${index}`, tool, input, question };
    }),
  );
}

/** More than a conversation of these tests has of anything. */
const never = 1_000_000;

/** LangChain's types of this middleware do not hold under `exactOptionalPropertyTypes`. */
function summarize(model: ReturnType<typeof fakeModel>, shortens: boolean): AgentMiddleware {
  const options = { model, trigger: { messages: shortens ? 12 : never }, keep: { messages: 4 } } as never;
  return summarizationMiddleware(options) as unknown as AgentMiddleware;
}

function clearToolUses(shortens: boolean): AgentMiddleware {
  const tokens = shortens ? 400 : never;
  return contextEditingMiddleware({
    edits: [new ClearToolUsesEdit({ trigger: { tokens }, keep: { messages: 1 } })],
  });
}

/** Tool results are cleared and older messages summarised; the checkpointer's content goes from process to process. */
async function openSession({
  toolkit,
  system,
  directory,
  shortens,
  signal,
}: AdapterSessionOptions): Promise<AdapterSession> {
  const path = join(directory, 'checkpoints');
  const checkpointer = new MemorySaver();
  if (existsSync(path)) Object.assign(checkpointer, deserialize(await readFile(path)));
  const config = { configurable: { thread_id: 'session' }, recursionLimit: 50, ...(signal && { signal }) };
  const open = (model: ScriptedModel['model']) => {
    const summarizer = fakeModel();
    for (let call = 0; call < 10; call++) summarizer.respond(new AIMessage('They looked things up.'));
    return createAgent({
      model,
      systemPrompt: system,
      tools: [lookup, publish],
      checkpointer,
      middleware: [
        summarize(summarizer, shortens),
        clearToolUses(shortens),
        askBeforePublishing(toolkit),
        skillsMiddleware(toolkit),
      ],
    });
  };
  async function proceed(
    input: { messages: { role: 'user'; content: string }[] } | Command<unknown, Record<string, unknown>, never>,
    script: readonly ScriptedTurn[],
  ): Promise<AdapterRun> {
    const scripted = scriptedModel(script);
    const result = await open(scripted.model).invoke(input, config);
    const waiting = waitingIn(result);
    return { calls: observe(scripted), answer: result.messages.at(-1)?.text ?? '', waiting };
  }
  return {
    say: (user, script) => proceed({ messages: [{ role: 'user', content: user }] }, script),
    answer(answers, script) {
      const resume: Record<string, { decisions: object[] }> = {};
      for (const { id, approved, reason: message } of answers) {
        const [interrupt = ''] = id.split('#');
        const decision = approved ? { type: 'approve' } : { type: 'reject', ...(message !== undefined && { message }) };
        resume[interrupt] = { decisions: [...(resume[interrupt]?.decisions ?? []), decision] };
      }
      return proceed(new Command<unknown, Record<string, unknown>, never>({ resume }), script);
    },
    async decide(decision) {
      await decide(toolkit, decision, { agent: open(fakeModel()), config });
    },
    active: () => activeSkills(toolkit, { agent: open(fakeModel()), config }),
    async forget(turn) {
      const { graph } = open(fakeModel());
      const { messages } = (await graph.getState(config)).values;
      const gone = messagesOfTurn<BaseMessage>(messages, ({ type }) => type === 'human', turn);
      const removals = gone.map(({ id = '' }) => new RemoveMessage({ id }));
      await graph.updateState(config, { messages: removals }, 'AgentSkills.before_agent');
    },
    stored: async () => JSON.stringify((await open(fakeModel()).graph.getState(config)).values.messages),
    close: () => writeFile(path, serialize({ storage: checkpointer.storage, writes: checkpointer.writes })),
  };
}
