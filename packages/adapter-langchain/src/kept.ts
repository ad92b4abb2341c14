// Restores for the model the instructions and files that were kept out of messages, because a browser may get these.

import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillContext, SkillToolkit } from '@skillful/core';
import { withContent } from './messages.ts';

/** Restores the results in messages: as they were in this run, otherwise with current content. */
export async function restoreMessages(
  messages: readonly BaseMessage[],
  conversation: readonly BaseMessage[],
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<BaseMessage[]> {
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
    const left = { id, name, input: inputs.get(message.id ?? id), kept, isError: status === 'error' };
    const result = await toolkit.restoreResult(left, context);
    if (result === undefined) return message;
    const { text, files } = result;
    // Other fields of a part are kept, because they may mark where a provider's cache ends.
    const parts =
      typeof content !== 'string' && content.map((part) => (part.type === 'text' ? { ...part, text } : part));
    return Object.assign(withContent(message, parts || text), { artifact: { ...artifact, files } });
  }
}
