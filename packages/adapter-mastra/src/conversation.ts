// Reads from Mastra's messages and prompts what the ledger needs, and puts back what it changes.

import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { ConversationItem, SkillToolkit } from '@skillful/core';

/** What the messages of a conversation and the prompt of a model have in common, as far as the ledger cares. */
export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
  /** What the memory calls it; a prompt does not tell. */
  readonly id?: string;
}

type StoredMessage = ReturnType<ProcessInputStepArgs['messageList']['get']['all']['aiV5']['ui']>[number];

interface ResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: string; readonly value?: unknown };
}

/** Gives the words of the user and the results of the skill tools, oldest first. */
export function readItems(messages: readonly unknown[], toolkit: SkillToolkit): readonly ConversationItem[] {
  return readIdentifiedItems(messages, toolkit).map(([, item]) => item);
}

/** Gives stored messages in the form of a prompt: what the user said, and each call with its result. */
export function readStored(messages: readonly StoredMessage[]): readonly MessageLike[] {
  return messages.flatMap(({ id, role, parts }): readonly MessageLike[] => {
    if (role === 'user') return [{ id, role, content: parts.filter(({ type }) => type === 'text') }];
    return parts.flatMap((part): readonly MessageLike[] => {
      if (!('toolCallId' in part)) return [];
      const { toolCallId } = part;
      const toolName = 'toolName' in part ? part.toolName : part.type.slice('tool-'.length);
      const output =
        part.state === 'output-error'
          ? { type: 'error-text', value: part.errorText }
          : part.state === 'output-available'
            ? { type: 'json', value: part.output }
            : undefined;
      if (output === undefined) return [];
      return [
        { id, role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: part.input }] },
        { id, role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
      ];
    });
  });
}

/** Gives what `readItems` gives, each item with the ids of its message and its tool call. */
export function readIdentifiedItems(
  messages: readonly unknown[],
  toolkit: SkillToolkit,
): readonly (readonly [string, ConversationItem])[] {
  return messages.filter(isMessage).flatMap((message): readonly (readonly [string, ConversationItem])[] => {
    const { id = '', role, content } = message;
    if (role === 'user') return [[id, { kind: 'user', text: textOf(content) }]];
    if (role !== 'tool' || !Array.isArray(content)) return [];
    return content
      .filter((part) => isSkillResult(part, toolkit))
      .map((part) => [
        `${id} ${part.toolCallId}`,
        { kind: 'result', tool: part.toolName, text: textOf(part.output.value) },
      ]);
  });
}

/** Puts texts in the place of the results of the skill tools, in the order in which `readItems` gives them. */
export function replaceResults<Message extends MessageLike>(
  messages: readonly Message[],
  toolkit: SkillToolkit,
  results: readonly string[],
): Message[] {
  const remaining = [...results];
  return messages.map((message) => {
    if (message.role !== 'tool' || !Array.isArray(message.content)) return message;
    const content = message.content.map((part: unknown) => {
      if (!isSkillResult(part, toolkit)) return part;
      const text = remaining.shift();
      if (text === undefined || text === textOf(part.output.value)) return part;
      return { ...part, output: { type: 'text', value: text } };
    });
    return { ...message, content };
  });
}

function isMessage(message: unknown): message is MessageLike {
  return typeof message === 'object' && message !== null && 'role' in message && 'content' in message;
}

function isSkillResult(part: unknown, toolkit: SkillToolkit): part is ResultPart {
  if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== 'tool-result') return false;
  return 'toolName' in part && toolkit.tools.some((tool) => tool.name === part.toolName);
}

/** The text of a content: itself, its text parts one after the other, or the text of a tool's whole output. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return typeof content === 'object' && content !== null && 'text' in content ? String(content.text) : '';
}
