// Reads from AI SDK messages and prompts what the ledger needs, and puts back what it changes.

import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { readDecisions } from './channel.ts';
import type { SkillToolsOptions } from './options.ts';

/** What messages of an application and prompts of a model have in common, as far as the ledger cares. */
interface MessageLike {
  readonly role: string;
  readonly content: unknown;
  readonly providerOptions?: unknown;
}

interface ResultPart {
  readonly type: 'tool-result';
  readonly toolName: string;
  readonly output: { readonly type: string; readonly value?: unknown };
}

/**
 * Gives the words of the user, the results of the skill tools and the application's decisions, oldest first.
 *
 * Decisions stand in options of messages of the role `tool`, which no message of a user interface is converted to.
 */
export function readItems(
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
  { decisionsInParts = false }: SkillToolsOptions,
): readonly ConversationItem[] {
  const names = new Set(toolkit.tools.map((tool) => tool.name));
  return messages.flatMap(({ role, content, providerOptions }): readonly ConversationItem[] => {
    const ofParts = decisionsInParts ? partsOf(content).map(optionsOf) : [];
    const decisions = [...ofParts, ...(role === 'tool' ? [providerOptions] : [])].flatMap(readDecisions);
    if (role === 'user') return [{ kind: 'user', text: textOf(content) }, ...decisions];
    if (role !== 'tool') return decisions;
    const results = partsOf(content)
      .filter(isResultPart)
      .filter((part) => names.has(part.toolName))
      .map((part) => ({ kind: 'result' as const, tool: part.toolName, text: textOf(part.output.value) }));
    return [...results, ...decisions];
  });
}

/** Puts texts in the place of the results of the skill tools, in the order in which `readItems` gives them. */
export function replaceResults<Message extends MessageLike>(
  messages: readonly Message[],
  toolkit: SkillToolkit,
  results: readonly string[],
): Message[] {
  const names = new Set(toolkit.tools.map((tool) => tool.name));
  const remaining = [...results];
  return messages.map((message) => {
    if (message.role !== 'tool' || !Array.isArray(message.content)) return message;
    const content = message.content.map((part: unknown) => {
      if (!isResultPart(part) || !names.has(part.toolName)) return part;
      const text = remaining.shift();
      if (text === undefined || text === textOf(part.output.value)) return part;
      return { ...part, output: { type: 'text', value: text } };
    });
    return { ...message, content };
  });
}

function partsOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [];
}

function optionsOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'providerOptions' in part ? part.providerOptions : undefined;
}

function isResultPart(part: unknown): part is ResultPart {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'tool-result';
}

/** The text of a content: itself, or its text parts one after the other. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('');
}
