// Keeps instructions and files out of messages that a browser may get, and puts them back for the model.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillContext, SkillToolkit, StoredResult } from '@skillful/core';
import { withContent } from './messages.ts';

/** What was given in place of a message, by whom, and in which turn of a conversation. */
interface Given extends Turn {
  readonly kept: string;
  readonly result: StoredResult;
}

/** In the next turn, for another request, and by another toolkit, a result may be another one. */
interface Turn {
  readonly toolkit: SkillToolkit;
  readonly request: unknown;
  /** The id of what the user wrote last. */
  readonly asked: string | undefined;
}

/** What was given, by the artifacts of messages, which other middleware copies with the messages. */
const results = new WeakMap<object, Given>();

/** Remembers what a message keeps only a part of. */
export function rememberResult(message: ToolMessage, result: StoredResult, turn: Turn): void {
  results.set(keyOf(message), { ...turn, kept: message.text, result });
}

/** Returns the turn of a conversation. */
export function turnOf(conversation: readonly BaseMessage[], toolkit: SkillToolkit, { request }: SkillContext): Turn {
  const asked = conversation.findLast((message) => HumanMessage.isInstance(message));
  return { toolkit, request, asked: asked?.id };
}

function keyOf(message: ToolMessage): object {
  return Object(message.artifact) === message.artifact ? message.artifact : message;
}

function isSameTurn(one: Turn, other: Turn): boolean {
  return one.toolkit === other.toolkit && one.request === other.request && one.asked === other.asked;
}

/** Returns messages with whole results: as they were given in this turn, otherwise as they are now. */
export async function restoreMessages(
  messages: readonly BaseMessage[],
  conversation: readonly BaseMessage[],
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<BaseMessage[]> {
  const turn = turnOf(conversation, toolkit, context);
  const calls = conversation.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []));
  const inputs = new Map(calls.map(({ id, args }) => [id, args]));
  const restored: BaseMessage[] = [];
  for (const message of messages) restored.push(ToolMessage.isInstance(message) ? await restore(message) : message);
  return restored;

  async function restore(message: ToolMessage): Promise<BaseMessage> {
    const { tool_call_id: id, name = '', text: kept, content, artifact, status } = message;
    const known = results.get(keyOf(message));
    const isKnown = known?.kept === kept && isSameTurn(known, turn);
    const left = { id, name, input: inputs.get(id), kept, isError: status === 'error' };
    const result = isKnown ? known.result : await toolkit.restoreResult(left, context);
    if (result === undefined) return message;
    rememberResult(message, result, turn);
    const { text, files } = result;
    // A part of the content may mark where a provider's cache ends.
    const parts =
      typeof content !== 'string' && content.map((part) => (part.type === 'text' ? { ...part, text } : part));
    return Object.assign(withContent(message, parts || text), { artifact: { ...artifact, files } });
  }
}
