// The stand-in as a chat model of LangChain.

import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { respond } from './respond.ts';
import { announce, type OfferedTool, type Reply, type Turn } from './turn.ts';

type BindTools = FakeStreamingChatModel['bindTools'];

/** The stand-in on LangChain's own mock model, a class because LangChain's models are classes. */
class StandInChatModel extends FakeStreamingChatModel {
  readonly #tools: readonly OfferedTool[];
  readonly #reply: (turn: Turn) => Reply;

  constructor(tools: readonly OfferedTool[], reply: (turn: Turn) => Reply) {
    super({});
    this.#tools = tools;
    this.#reply = reply;
  }

  override bindTools(tools: Parameters<BindTools>[0]): ReturnType<BindTools> {
    const offered = tools.map(({ name, description = '', schema }) => ({
      name,
      description,
      inputSchema: toJsonSchema(schema),
    }));
    return new StandInChatModel(offered, this.#reply).withConfig({});
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.#answer(messages);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    const { content, tool_calls } = this.#answer(messages);
    const message = new AIMessageChunk({ content, tool_calls: tool_calls ?? [] });
    yield new ChatGenerationChunk({ text: message.text, message });
  }

  #answer(messages: readonly BaseMessage[]): AIMessage {
    const turn = readTurn(messages, this.#tools);
    announce(turn);
    const reply = this.#reply(turn);
    if ('text' in reply) return new AIMessage(reply.text);
    const id = `call-${turn.results.length + 1}`;
    return new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id, name: reply.tool, args: reply.input }] });
  }
}

/** Creates the stand-in, with and without streaming. */
export function standInModel(reply: (turn: Turn) => Reply = respond): FakeStreamingChatModel {
  return new StandInChatModel([], reply);
}

function readTurn(messages: readonly BaseMessage[], tools: readonly OfferedTool[]): Turn {
  const start = messages.findLastIndex((message) => isHumanMessage(message));
  const calls = new Map<string, { readonly name: string; readonly args: unknown }>();
  const results: Turn['results'][number][] = [];
  for (const message of messages.slice(start + 1)) {
    if (isAIMessage(message)) for (const call of message.tool_calls ?? []) calls.set(call.id ?? '', call);
    if (isToolMessage(message)) {
      const call = calls.get(message.tool_call_id);
      results.push({ tool: call?.name ?? '', input: call?.args, text: message.text });
    }
  }
  const system = messages.filter((message) => message.getType() === 'system').map((message) => message.text);
  return { system: system.join('\n\n'), tools, request: messages[start]?.text ?? '', results };
}
