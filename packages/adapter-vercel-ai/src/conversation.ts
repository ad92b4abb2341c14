// Shows the AI SDK's messages to the core, and applies the core's changes to a copy of them.

import type { MessageView, Preparation, SkillToolkit, UnkeyedMessage } from '@skillful/core';
import { isPart, type Part, partsOf, textOf } from './parts.ts';

/** What messages of an application and messages of a prompt have in common. */
interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** Views messages. If they are the end of a `whole` conversation, they get the keys that they have there. */
export function viewMessages(
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const views = messages.map(({ role, content }): UnkeyedMessage => {
    const parts = partsOf(content);
    const text = textOf(content);
    // Other parts may not survive a browser.
    const said = [role, text, ...parts.map(({ toolCallId = '' }) => toolCallId)].join('\n');
    if (role === 'user') return { said, role, text };
    if (role !== 'tool') return { said, role: role === 'assistant' ? role : 'other' };
    const results = parts.filter(({ type }) => type === 'tool-result');
    return {
      said,
      role,
      results: results.map(({ toolCallId, toolName, output }) => {
        return { id: String(toolCallId), tool: String(toolName), text: textOf(contentOf(output)) };
      }),
    };
  });
  return toolkit.keyMessages(views, whole);
}

/** The model that reads messages. */
interface Reader {
  readonly toolkit: SkillToolkit;
  readonly model: unknown;
  /** A system message of its own. */
  readonly system?: string;
}

/** Returns messages with the edits that were prepared, and without those that only carry state. */
export function editMessages<Message extends MessageLike>(
  messages: readonly Message[],
  views: readonly MessageView[],
  { edits }: Preparation,
  { toolkit, model, system = '' }: Reader,
): Message[] {
  const create = (role: string, content: unknown): Message => ({ role, content }) as Message;
  const { provider, modelId } = Object(model);
  const edited = toolkit.editMessages<Message, FilePart>(messages, views, edits, {
    model: String(typeof model === 'string' || provider === 'gateway' ? (modelId ?? model) : provider),
    head: system === '' ? [] : [create('system', system)],
    createUser: (parts) => {
      const content = parts.map((part) => ({ ...part, type: isFile(part) ? 'file' : 'text' }));
      return create('user', content);
    },
    change(message, { rewrite, appended }) {
      if (message.role !== 'tool' && appended.length === 0) return message;
      const content = partsOf(message.content).map((part) => {
        const value = contentOf(part['output']);
        const result = rewrite(String(part['toolCallId']), textOf(value), partsOf(value).filter(isFile));
        if (result === undefined) return part;
        const { text, content } = result;
        const hasFiles = content.length > 1;
        return { ...part, output: hasFiles ? { type: 'content', value: content } : { type: 'text', value: text } };
      });
      return { ...message, content: [...content, ...appended] };
    },
  });
  return edited.filter(({ role, content }) => role !== 'tool' || partsOf(content).length > 0);
}

type FilePart = Part & { readonly mediaType: string };

function isFile(part: Part): part is FilePart {
  return typeof part['mediaType'] === 'string';
}

function contentOf(output: unknown): unknown {
  return isPart(output) ? output['value'] : undefined;
}
