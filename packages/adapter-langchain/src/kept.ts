// Keeps instructions and files out of messages that a browser may get, and restores them for the model.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillContext, SkillToolkit, StoredResult } from '@skillful/core';
import { withContent } from './messages.ts';

/** The result that replaces a message for the model, and the turn of the conversation in which it was created. */
interface Given {
  readonly kept: string;
  readonly result: StoredResult;
  readonly turn: Turn;
}

/** Identifies a turn: the toolkit, the request and the last user message. If one of them differs, a result may differ. */
type Turn = readonly [toolkit: SkillToolkit, request: unknown, asked: string | BaseMessage | undefined];

/** Results by the artifacts of their messages, because other middleware copies messages but keeps the artifacts. */
const results = new WeakMap<object, Given>();

/** Remembers the whole result of a message that contains only a part of it. */
export function rememberResult(message: ToolMessage, result: StoredResult, turn: Turn): void {
  results.set(keyOf(message), { kept: message.text, result, turn });
}

/** Returns the turn of a conversation. */
export function turnOf(conversation: readonly BaseMessage[], toolkit: SkillToolkit, { request }: SkillContext): Turn {
  const asked = conversation.findLast((message) => HumanMessage.isInstance(message));
  return [toolkit, request, asked?.id ?? asked];
}

function keyOf(message: ToolMessage): object {
  return Object(message.artifact) === message.artifact ? message.artifact : message;
}

/** Restores the results in messages: as they were in this turn, otherwise with current content. */
export async function restoreMessages(
  messages: readonly BaseMessage[],
  conversation: readonly BaseMessage[],
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<BaseMessage[]> {
  const turn = turnOf(conversation, toolkit, context);
  const inputs = new Map<string | undefined, unknown>();
  for (const message of conversation) {
    if (AIMessage.isInstance(message)) for (const { id, args } of message.tool_calls ?? []) inputs.set(id, args);
    // By its message, too, because a server may give every call the same id.
    if (ToolMessage.isInstance(message) && message.id !== undefined)
      inputs.set(message.id, inputs.get(message.tool_call_id));
  }
  const restored: BaseMessage[] = [];
  for (const message of messages) restored.push(ToolMessage.isInstance(message) ? await restore(message) : message);
  return restored;

  async function restore(message: ToolMessage): Promise<BaseMessage> {
    const { tool_call_id: id, name = '', text: kept, content, artifact, status } = message;
    const known = results.get(keyOf(message));
    const isKnown = known?.kept === kept && known.turn.every((one, index) => one === turn[index]);
    const left = { id, name, input: inputs.get(message.id ?? id), kept, isError: status === 'error' };
    const result = isKnown ? known.result : await toolkit.restoreResult(left, context);
    if (result === undefined) return message;
    rememberResult(message, result, turn);
    const { text, files } = result;
    // Other fields of a part are kept, because they may mark where a provider's cache ends.
    const parts =
      typeof content !== 'string' && content.map((part) => (part.type === 'text' ? { ...part, text } : part));
    return Object.assign(withContent(message, parts || text), { artifact: { ...artifact, files } });
  }
}
