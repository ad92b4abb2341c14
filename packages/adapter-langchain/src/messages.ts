// Converts LangChain's messages for the core, and applies the core's changes to them.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { MessageEdit, MessageView, SkillToolkit, UnkeyedMessage } from '@skillful/core';
import { createBlock, filesOf, placeOf, type ResultFile } from './files.ts';

const roles: Readonly<Record<string, MessageView['role']>> = { human: 'user', ai: 'assistant', tool: 'tool' };

type Views = readonly MessageView[];

/**
 * Returns messages, which may be the end of a `whole` conversation, as the core views them. Summaries of LangChain are user
 * messages, but no person wrote them.
 */
export function viewMessages(messages: readonly BaseMessage[], toolkit: SkillToolkit, whole?: Views): Views {
  const views = messages.map((message): UnkeyedMessage => {
    const { id, type, content, text, name: tool = '', additional_kwargs: kwargs } = message;
    const role = roles[type] ?? 'other';
    if (ToolMessage.isInstance(message)) {
      const { tool_call_id: call } = message;
      return { said: id ?? call, role, results: [{ id: call, tool, text }] };
    }
    // A message without an id is identified by its content.
    const view = { said: id ?? `${type} ${JSON.stringify(content)}`, role };
    return view.role === 'user' && kwargs['lc_source'] === undefined ? { ...view, text } : view;
  });
  return toolkit.keyMessages(views, whole);
}

/** Applies edits to messages, and adds the files that the model accepts. Changed messages are copies. */
export function editMessages(
  messages: readonly BaseMessage[],
  views: Views,
  edits: readonly MessageEdit[],
  { toolkit, profile }: { readonly toolkit: SkillToolkit; readonly profile: ModelProfile },
): BaseMessage[] {
  return toolkit.editMessages<BaseMessage, ResultFile>(messages, views, edits, {
    model: (mediaType) => placeOf(mediaType, profile),
    createUser: (parts) =>
      new HumanMessage({ contentBlocks: parts.map((part) => ('mediaType' in part ? createBlock(part) : part)) }),
    change(message, { rewrite, appended }) {
      const { content } = message;
      if (ToolMessage.isInstance(message)) {
        const result = rewrite(message.tool_call_id, filesOf(message, toolkit));
        return result === undefined ? message : withContent(message, result.text);
      }
      if (appended.length === 0) return message;
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      return withContent(message, [...parts, ...appended]);
    },
  });
}

/**
 * Copies a message with its class, id, artifact and status. The content also goes into `lc_kwargs`, which LangChain serializes.
 */
export function withContent(message: BaseMessage, content: BaseMessage['content']): BaseMessage {
  const copy: BaseMessage = Object.create(Object.getPrototypeOf(message));
  return Object.assign(copy, message, { content, lc_kwargs: { ...message.lc_kwargs, content } });
}
