// Holds a conversation through createAgent with LangChain's own fake model, and tells what the model was given.

import type { BaseMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { AdapterConversation, AdapterHarness, AdapterRun, ObservedTool, ScriptedTurn } from '@skillful/testing';
import { AIMessage, createAgent, fakeModel, SystemMessage, ToolMessage } from 'langchain';
import { skillsMiddleware } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'LangChain', converse };

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, script, stream, signal, request } = conversation;
  const { model, boundTools } = scriptedModel(script);
  const agent = createAgent({ model, systemPrompt: system, middleware: [skillsMiddleware(toolkit)] });
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
  const calls = model.calls.map((call, index) => ({
    system: call.messages
      .filter((message) => SystemMessage.isInstance(message))
      .map((message) => message.text)
      .join('\n\n'),
    tools: boundTools[index] ?? [],
    results: call.messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.text),
  }));
  return { calls, answer: messages.at(-1)?.text ?? '' };
}

/** Creates a fake model that plays a script, one turn a call, and records the tools that are bound for each call. */
function scriptedModel(script: readonly ScriptedTurn[]): {
  readonly model: ReturnType<typeof fakeModel>;
  readonly boundTools: readonly ObservedTool[][];
} {
  const boundTools: ObservedTool[][] = [];
  const model = fakeModel();
  for (const turn of script) {
    if ('text' in turn) model.respond(new AIMessage(turn.text));
    else model.respondWithTools(turn.calls.map(({ tool, input }) => ({ name: tool, args: Object(input) })));
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
