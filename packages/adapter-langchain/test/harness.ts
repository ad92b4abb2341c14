// Holds conversations through createAgent with LangChain's own fake model, and tells what the model was given.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { BaseMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { MemorySaver } from '@langchain/langgraph';
import {
  type AdapterConversation,
  type AdapterHarness,
  type AdapterRun,
  type AdapterSession,
  type AdapterSessionOptions,
  lookupResult,
  type ObservedCall,
  type ObservedFile,
  type ObservedTool,
  type ScriptedCall,
  type ScriptedTurn,
} from '@skillful/testing/harness';
import {
  type AgentMiddleware,
  AIMessage,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  fakeModel,
  SystemMessage,
  summarizationMiddleware,
  ToolMessage,
  tool,
} from 'langchain';
import { decide, skillsMiddleware } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'LangChain', converse, openSession };

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, script, stream, signal, request } = conversation;
  const scripted = scriptedModel(script);
  const agent = createAgent({
    model: scripted.model,
    systemPrompt: system,
    middleware: [skillsMiddleware(toolkit)],
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
  return { name: tool, args: Object(input), id, type: 'tool_call' as const };
}

function observe({ model, boundTools }: ScriptedModel): readonly ObservedCall[] {
  return model.calls.map(({ messages }, index) => ({
    system: textsOf(messages.filter((message) => SystemMessage.isInstance(message))).join('\n\n'),
    tools: boundTools[index] ?? [],
    results: textsOf(messages.filter((message) => ToolMessage.isInstance(message))),
    files: messages.flatMap(filesOf),
  }));
}

function filesOf({ content }: BaseMessage): readonly ObservedFile[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block) =>
    'mime_type' in block && 'data' in block ? [{ mediaType: String(block.mime_type), data: String(block.data) }] : [],
  );
}

const textsOf = (messages: readonly BaseMessage[]): string[] => messages.map((message) => message.text);

const lookup = tool(async () => lookupResult, {
  name: 'lookup',
  description: 'Looks something up.',
  schema: { type: 'object', properties: { query: { type: 'string' } } },
});

/** LangChain's types of this middleware do not hold under `exactOptionalPropertyTypes`. */
function summarize(model: ReturnType<typeof fakeModel>): AgentMiddleware {
  const options = { model, trigger: { messages: 12 }, keep: { messages: 4 } } as never;
  return summarizationMiddleware(options) as unknown as AgentMiddleware;
}

/** Tool results are cleared and older messages summarised; the checkpointer's content goes from process to process. */
async function openSession({ toolkit, system, directory }: AdapterSessionOptions): Promise<AdapterSession> {
  const path = join(directory, 'checkpoints');
  const checkpointer = new MemorySaver();
  if (existsSync(path)) Object.assign(checkpointer, deserialize(await readFile(path)));
  const config = { configurable: { thread_id: 'session' }, recursionLimit: 50 };
  const open = (model: ScriptedModel['model']) => {
    const summarizer = fakeModel();
    for (let call = 0; call < 10; call++) summarizer.respond(new AIMessage('They looked things up.'));
    return createAgent({
      model,
      systemPrompt: system,
      tools: [lookup],
      checkpointer,
      middleware: [
        summarize(summarizer),
        contextEditingMiddleware({
          edits: [new ClearToolUsesEdit({ trigger: { tokens: 400 }, keep: { messages: 1 } })],
        }),
        skillsMiddleware(toolkit),
      ],
    });
  };
  return {
    async say(user, script) {
      const scripted = scriptedModel(script);
      const { messages } = await open(scripted.model).invoke({ messages: [{ role: 'user', content: user }] }, config);
      return { calls: observe(scripted), answer: messages.at(-1)?.text ?? '' };
    },
    async activate(names) {
      await decide(toolkit, { activate: names }, { agent: open(fakeModel()), config });
    },
    async deactivate(names) {
      await decide(toolkit, { deactivate: names }, { agent: open(fakeModel()), config });
    },
    close: () => writeFile(path, serialize({ storage: checkpointer.storage, writes: checkpointer.writes })),
  };
}
