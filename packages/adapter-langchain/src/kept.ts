// Keeps instructions and files out of messages that a browser may get, and puts them back for the model.

import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillContext, SkillToolkit, StoredResult } from '@skillful/core';
import { withContent } from './messages.ts';

/** Whole results by the messages that keep a part of them, which stay the same objects while a graph runs. */
const results = new WeakMap<BaseMessage, { readonly kept: string; readonly result: StoredResult }>();

/** Remembers what a message keeps only a part of. */
export function rememberResult(message: BaseMessage, result: StoredResult): void {
  results.set(message, { kept: message.text, result });
}

/** Returns messages with whole results: as they were given while the graph ran, otherwise as they are now. */
export async function restoreMessages(
  messages: readonly BaseMessage[],
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<BaseMessage[]> {
  const inputs = new Map<unknown, unknown>();
  const restored: BaseMessage[] = [];
  for (const message of messages) {
    if (AIMessage.isInstance(message)) for (const { id, args } of message.tool_calls ?? []) inputs.set(id, args);
    restored.push(ToolMessage.isInstance(message) ? await restore(message) : message);
  }
  return restored;

  async function restore(message: ToolMessage): Promise<BaseMessage> {
    const { tool_call_id: id, name = '', text: kept, artifact } = message;
    const known = results.get(message);
    const left = { id, name, input: inputs.get(id), kept };
    // Other middleware may have changed the message.
    const result = known?.kept === kept ? known.result : await toolkit.restoreResult(left, context);
    if (result === undefined) return message;
    rememberResult(message, result);
    const { text, files, isError } = result;
    const status = isError ? 'error' : 'success';
    return Object.assign(withContent(message, text), { status, artifact: { ...artifact, files } });
  }
}
