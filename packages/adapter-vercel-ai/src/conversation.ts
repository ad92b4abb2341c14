// The AI SDK's messages as the core views them, and a copy of them with what the core changes: one function each way.

import type { MessageView, Preparation, SkillToolkit, UnkeyedMessage } from '@skillful/core';
import { createFileFitter, type FileTarget } from './files.ts';
import { isPart, type Part, partsOf, textOf } from './parts.ts';

/** What messages of an application and messages of a prompt have in common. */
interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** Views messages. Those that are the end of a `whole` conversation have the same keys in it. */
export function viewMessages(
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const isOwn = isResultOf(toolkit);
  const views = messages.map(({ role, content }): UnkeyedMessage => {
    const parts = partsOf(content);
    const text = textOf(content);
    // Other parts may not survive a browser.
    const said = [role, text, ...parts.map(({ toolCallId = '' }) => toolCallId)].join('\n');
    if (role === 'user') return { said, role, text };
    if (role !== 'tool') return { said, role: role === 'assistant' ? role : 'other' };
    const results = parts.filter(isOwn).map(({ toolCallId, toolName, output }) => ({
      id: String(toolCallId),
      tool: String(toolName),
      text: isPart(output) ? textOf(output['value']) : '',
    }));
    return { said, role, results };
  });
  return toolkit.keyMessages(views, whole);
}

/** Returns messages with what was prepared for their views, and without those that only carry state. */
export function editMessages<Message extends MessageLike>(
  messages: readonly Message[],
  views: readonly MessageView[],
  { edits }: Preparation,
  { toolkit, system = '', ...target }: FileTarget & { readonly toolkit: SkillToolkit; readonly system?: string },
): Message[] {
  const isOwn = isResultOf(toolkit);
  const fitFiles = createFileFitter(toolkit, target);
  const create = (role: string, content: unknown): Message => ({ role, content }) as Message;
  const edited = toolkit.editMessages<Message, Part>(messages, views, edits, {
    head: system === '' ? [] : [create('system', system)],
    createUser: (parts) => create('user', parts),
    change(message, { results, appended }, behind) {
      if (message.role !== 'tool' && appended.length === 0) return message;
      const content = partsOf(message.content).map((part) => {
        if (!isOwn(part)) return part;
        const value = results.get(String(part.toolCallId));
        return { ...part, output: value === undefined ? fitFiles(part.output, behind) : { type: 'text', value } };
      });
      return { ...message, content: [...content, ...appended] };
    },
  });
  return edited.filter(({ role, content }) => role !== 'tool' || partsOf(content).length > 0);
}

function isResultOf({ tools }: SkillToolkit): (part: Part) => boolean {
  const own = new Set<unknown>(tools.map(({ name }) => name));
  return ({ type, toolName }) => type === 'tool-result' && own.has(toolName);
}
