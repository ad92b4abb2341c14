// Reads from Mastra's messages and prompts what the ledger needs, and puts back what it changes.

import type { ConversationItem, SkillToolkit } from '@skillful/core';

/** What the messages of a conversation and the prompt of a model have in common, as far as the ledger cares. */
export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

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

/** The same, each with the id of its tool call; what a user said has none. */
export function readIdentifiedItems(
  messages: readonly unknown[],
  toolkit: SkillToolkit,
): readonly (readonly [string, ConversationItem])[] {
  return messages.filter(isMessage).flatMap(({ role, content }): readonly (readonly [string, ConversationItem])[] => {
    if (role === 'user') return [['', { kind: 'user', text: textOf(content) }]];
    if (role !== 'tool' || !Array.isArray(content)) return [];
    return content
      .filter((part) => isSkillResult(part, toolkit))
      .map((part) => [part.toolCallId, { kind: 'result', tool: part.toolName, text: textOf(part.output.value) }]);
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
