// The AI SDK's messages as the core views them, and a copy of them with what the core changes: one function each way.

import type { MessageView, Preparation, SkillToolkit, UnkeyedMessage } from '@skillful/core';
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
  const own = new Set<unknown>(toolkit.tools.map(({ name }) => name));
  const views = messages.map(({ role, content }): UnkeyedMessage => {
    const parts = partsOf(content);
    // Other parts may not survive a browser.
    const said = [role, textOf(content), ...parts.map(({ toolCallId = '' }) => toolCallId)].join('\n');
    if (role === 'user') return { said, role, text: textOf(content) };
    if (role !== 'tool') return { said, role: role === 'assistant' ? role : 'other' };
    const results = parts.filter(({ type, toolName }) => type === 'tool-result' && own.has(toolName));
    const viewed = results.map(({ toolCallId, toolName, output }) => ({
      id: String(toolCallId),
      tool: String(toolName),
      text: isPart(output) ? textOf(output['value']) : '',
    }));
    return { said, role, results: viewed };
  });
  return toolkit.keyMessages(views, whole);
}

/** Returns messages with what was prepared for their views, and without those that only carry state. */
export function editMessages<Message extends MessageLike>(
  messages: readonly Message[],
  views: readonly MessageView[],
  { edits }: Preparation,
  { system = '', fitFiles }: { system?: string; fitFiles: (output: Part) => { output: Part; behind: readonly Part[] } },
): Message[] {
  const create = (role: string, content: unknown): Message => ({ role, content }) as Message;
  const keyed = new Map(views.map(({ key }): [string, Preparation['edits'][number][]] => [key, []]));
  for (const edit of edits) if ('key' in edit) keyed.get(edit.key)?.push(edit);
  let files: Part[] = [];
  const edited = messages.flatMap((message, index) => {
    const changed = editMessage(message, views[index]);
    if (files.length === 0 || messages[index + 1]?.role === 'tool') return changed;
    const content = files;
    files = [];
    return [...changed, create('user', content)];
  });
  const first = edited.findIndex(({ role }) => role !== 'system');
  const start = edits.flatMap((edit) => ('start' in edit ? [{ type: 'text', text: edit.start }] : []));
  const added = [...(system === '' ? [] : [create('system', system)]), ...start.map((part) => create('user', [part]))];
  return edited.toSpliced(first === -1 ? edited.length : first, 0, ...added);

  function editMessage(message: Message, view: MessageView | undefined): Message[] {
    const { role, content } = message;
    const { key, results = [] } = view ?? {};
    const own = key === undefined ? [] : (keyed.get(key) ?? []);
    if (role === 'tool' && partsOf(content).length === 0) return [];
    if (own.length === 0 && results.length === 0) return [message];
    const ids = new Set(results.map(({ id }) => id));
    const texts = new Map(own.flatMap((edit) => ('result' in edit ? [[edit.result, edit.text] as const] : [])));
    const parts = partsOf(content).map((part) => {
      const { type, output } = part;
      const id = String(part.toolCallId);
      if (type !== 'tool-result' || !isPart(output) || !ids.has(id)) return part;
      const value = texts.get(id);
      if (value !== undefined) return { ...part, output: { type: 'text', value } };
      const fitted = fitFiles(output);
      files.push(...fitted.behind);
      return { ...part, output: fitted.output };
    });
    const added = own.flatMap((edit) => ('append' in edit ? [{ type: 'text', text: edit.append }] : []));
    return [{ ...message, content: [...parts, ...added] }];
  }
}
