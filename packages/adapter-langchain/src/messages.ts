// A view of LangChain's messages for the core, and the core's changes in LangChain's messages.

import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { sha256 } from '@langchain/core/utils/hash';
import type { MessageEdit, MessageView } from '@skillful/core';

const roles: Readonly<Record<string, MessageView['role']>> = { human: 'user', ai: 'assistant', tool: 'tool' };

/** Returns what the core reads of messages. LangChain writes its summaries as messages of the user. */
export function viewMessages(messages: readonly BaseMessage[]): readonly MessageView[] {
  const keys = keysOf(messages);
  return messages.map((message, index): MessageView => {
    const view = { key: keys[index] ?? '', role: roles[message.type] ?? 'other' };
    const { text, name: tool = '', additional_kwargs: kwargs } = message;
    if (ToolMessage.isInstance(message)) return { ...view, results: [{ id: message.tool_call_id, tool, text }] };
    return view.role === 'user' && kwargs['lc_source'] === undefined ? { ...view, text } : view;
  });
}

/** Returns the messages with the changes in them; a message that changes is a copy. */
export function editMessages(messages: readonly BaseMessage[], edits: readonly MessageEdit[]): BaseMessage[] {
  const keys = keysOf(messages);
  const keyed = new Map(keys.map((key): [string, MessageEdit[]] => [key, []]));
  for (const edit of edits) if ('key' in edit) keyed.get(edit.key)?.push(edit);
  const edited = messages.map((message, index) =>
    (keyed.get(keys[index] ?? '') ?? []).reduce((given, edit) => {
      if (!('key' in edit)) return given;
      if ('result' in edit) return withContent(given, edit.text);
      const { content } = given;
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      return withContent(given, [...parts, { type: 'text', text: edit.append }]);
    }, message),
  );
  const starts = edits.flatMap((edit) => ('start' in edit ? [new HumanMessage(edit.start)] : []));
  const behind = edited.findLastIndex((message) => SystemMessage.isInstance(message)) + 1;
  return starts.length === 0 ? edited : edited.toSpliced(behind, 0, ...starts);
}

/** A message that no graph has given an id goes by its content. */
function keysOf(messages: readonly BaseMessage[]): readonly string[] {
  const times = new Map<string, number>();
  return messages.map(({ id, type, content }) => {
    const key = id ?? sha256(`${type} ${JSON.stringify(content)}`).slice(0, 16);
    const time = times.get(key) ?? 0;
    times.set(key, time + 1);
    return time === 0 ? key : `${key} ${time}`;
  });
}

/** Copies a message with its class, id, artifact and status; LangChain serializes what `lc_kwargs` names. */
function withContent(message: BaseMessage, content: BaseMessage['content']): BaseMessage {
  const copy: BaseMessage = Object.create(Object.getPrototypeOf(message));
  return Object.assign(copy, message, { content, lc_kwargs: { ...message.lc_kwargs, content } });
}
