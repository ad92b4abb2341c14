// The AI SDK's messages as the core views them, and a copy of them with what the core changes: one function each way.

import type { MessageView, Preparation, SkillToolkit } from '@skillful/core';
import { isPart, type Part, partsOf, textOf } from './parts.ts';

/** What messages of an application and messages of a prompt have in common. */
interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/**
 * Views messages. They have no ids: a key is a hash of what a message says and a number among those that say the same.
 * Messages that are in `whole` too, the end of which they are, have the same keys there.
 */
export function viewMessages(
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const own = new Set<unknown>(toolkit.tools.map(({ name }) => name));
  const hashes = messages.map(hashMessage);
  const numbers = new Map<string, number>();
  const count = (hash: string, by: number): number => {
    const number = numbers.get(hash) ?? 0;
    numbers.set(hash, number + by);
    return number;
  };
  for (const hash of whole?.map(({ key }) => key.split('.')[0] ?? '') ?? hashes) count(hash, 1);
  for (const hash of hashes) count(hash, -1);
  return messages.map(({ role, content }, index) => {
    const hash = hashes[index] ?? '';
    const key = `${hash}.${count(hash, 1)}`;
    if (role === 'user') return { key, role, text: textOf(content) };
    if (role !== 'tool') return { key, role: role === 'assistant' ? role : 'other' };
    const results = partsOf(content).filter(({ type, toolName }) => type === 'tool-result' && own.has(toolName));
    const viewed = results.map(({ toolCallId, toolName, output }) => ({
      id: String(toolCallId),
      tool: String(toolName),
      text: isPart(output) ? textOf(output['value']) : '',
    }));
    return { key, role, results: viewed };
  });
}

/** The copies that were made, and what they are copies of; nothing for messages that were added. */
const originals = new WeakMap<object, unknown>();

/** Returns messages as they were before `editMessages`: the AI SDK 7 hands on what a step was given. */
export function restoreMessages<Message extends MessageLike>(messages: readonly Message[]): Message[] {
  const found = messages.map((message) => (originals.has(message) ? originals.get(message) : message) as Message);
  return found.filter((message) => message !== undefined);
}

/** Returns messages with what was prepared for their views, and without those that only carry state. */
export function editMessages<Message extends MessageLike>(
  messages: readonly Message[],
  views: readonly MessageView[],
  { edits }: Preparation,
  { system = '', fitFiles }: { system?: string; fitFiles: (output: Part) => { output: Part; behind: readonly Part[] } },
): Message[] {
  const copy = (changed: MessageLike, message?: Message): Message => {
    const made = { ...message, ...changed } as Message;
    originals.set(made, message);
    return made;
  };
  let files: Part[] = [];
  const edited = messages.flatMap((message, index) => {
    const changed = editMessage(message, views[index]);
    if (files.length === 0 || messages[index + 1]?.role === 'tool') return changed;
    const content = files;
    files = [];
    return [...changed, copy({ role: 'user', content })];
  });
  const first = edited.findIndex(({ role }) => role !== 'system');
  const start = edits.flatMap((edit) => ('start' in edit ? [{ type: 'text', text: edit.start }] : []));
  const added = [
    ...(system === '' ? [] : [copy({ role: 'system', content: system })]),
    ...start.map((part) => copy({ role: 'user', content: [part] })),
  ];
  return edited.toSpliced(first === -1 ? edited.length : first, 0, ...added);

  function editMessage(message: Message, view: MessageView | undefined): Message[] {
    const { role, content } = message;
    const { key, results = [] } = view ?? {};
    const own = edits.filter((edit) => 'key' in edit && edit.key === key);
    if (role === 'tool' && partsOf(content).length === 0) return [];
    if (own.length === 0 && results.length === 0) return [message];
    const parts = partsOf(content).map((part) => {
      const { type, toolCallId, output } = part;
      if (type !== 'tool-result' || !isPart(output) || results.every(({ id }) => id !== toolCallId)) return part;
      const change = own.find((edit) => 'result' in edit && edit.result === toolCallId);
      if (change !== undefined && 'text' in change) return { ...part, output: { type: 'text', value: change.text } };
      const fitted = fitFiles(output);
      files.push(...fitted.behind);
      return { ...part, output: fitted.output };
    });
    const added = own.flatMap((edit) => ('append' in edit ? [{ type: 'text', text: edit.append }] : []));
    return [copy({ role, content: [...parts, ...added] }, message)];
  }
}

/** FNV-1a over the words and the calls of a message, because its other parts may not survive a browser. */
function hashMessage({ role, content }: MessageLike): string {
  const calls = partsOf(content).map(({ toolCallId = '' }) => toolCallId);
  let hash = 0x811c9dc5;
  for (const character of [role, textOf(content), ...calls].join('\n')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
