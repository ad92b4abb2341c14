// Converts the messages of the AI SDK for the core, and applies the core's changes to a copy of them.

import type { MessageView, Preparation, PromptMessage, SkillToolkit, UnkeyedMessage } from '@skillful/core';

/** Returns messages as the core views them. If they are the end of a `whole` conversation, they get the same keys as there. */
export function viewMessages(
  messages: readonly PromptMessage[],
  toolkit: SkillToolkit,
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const views = messages.map(({ role, content }): UnkeyedMessage => {
    const parts = partsOf(content);
    const text = textOf(content);
    // Other parts may be lost on the way through a browser.
    const said = [role, text, ...parts.map(({ toolCallId = '' }) => toolCallId)].join('\n');
    if (role === 'user') return { said, role, text };
    if (role !== 'tool') return { said, role: role === 'assistant' ? role : 'other' };
    const found = parts.filter(({ type }) => type === 'tool-result');
    const results = found.map(({ toolCallId: id, toolName: tool, output }) => {
      return { id: String(id), tool: String(tool), text: textOf(Object(output).value) };
    });
    return { said, role, results };
  });
  return toolkit.keyMessages(views, whole);
}

/** Applies the prepared edits to messages, and removes messages that only carry state. */
export function editMessages<Message extends PromptMessage>(
  messages: readonly Message[],
  views: readonly MessageView[],
  { edits, system }: Pick<Preparation, 'edits' | 'system'>,
  toolkit: SkillToolkit,
  model: unknown,
): Message[] {
  const { provider, modelId } = Object(model);
  const name = typeof model === 'string' || provider === 'gateway' ? (modelId ?? model) : provider;
  const writer = toolkit.createPromptWriter<Message>(String(name), system);
  const edited = toolkit.editMessages(messages, views, edits, writer);
  return edited.filter(({ role, content }) => role !== 'tool' || partsOf(content).length > 0);
}

/** Returns the parts of a message's content in any version of the AI SDK. */
export function partsOf(content: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter((part) => Object(part) === part) : [];
}

function textOf(content: unknown): string {
  const texts = partsOf(content).filter(({ type }) => type === 'text');
  return texts.map(({ text }) => String(text)).join('\n');
}
