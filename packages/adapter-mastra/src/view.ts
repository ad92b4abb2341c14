// A view of Mastra's messages for the core, and the core's changes in the prompt of a model.

import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { MessageEdit, MessageView, Preparation } from '@skillful/core';
import { markAdded } from './delegate.ts';

type Prompt = ProcessLLMRequestArgs['prompt'];
type PromptMessage = Prompt[number];
/** A message as a memory keeps it. */
type StoredMessage = ProcessInputStepArgs['messages'][number];

/** The messages of a prompt, which has no ids of its own. */
export interface PromptView {
  readonly messages: readonly MessageView[];
  /** The same, and the results of tools that other processors have left out of the prompt. */
  readonly conversation: readonly MessageView[];
  /** Where each key is in the prompt. */
  readonly places: ReadonlyMap<string, number>;
}

/** Returns what the core reads of stored messages: what users said, and the result of each tool call as a message. */
export function viewStored(messages: readonly StoredMessage[]): readonly MessageView[] {
  return messages.flatMap(({ id, role, content }): readonly MessageView[] => {
    const parts = content.parts ?? [];
    if (role === 'user') return [{ key: id, role, text: textOf(parts.filter(({ type }) => type === 'text')) }];
    if (role !== 'assistant') return [];
    return parts.flatMap((part, index): readonly MessageView[] => {
      if (part.type !== 'tool-invocation') return [];
      const { toolInvocation: call } = part;
      // The calls of one step follow each other without anything between.
      const answer = parts[index - 1]?.type === 'tool-invocation' ? [] : [{ key: assistant, role }];
      if (call.state !== 'result') return answer;
      return [...answer, viewResult(`${id} ${index}`, call.toolCallId, call.toolName, textOf(call.result))];
    });
  });
}

/** Returns what the core reads of a prompt. The stored messages that it was made of give it their ids. */
export function viewPrompt(prompt: Prompt, stored: readonly MessageView[]): PromptView {
  const messages: MessageView[] = [];
  const conversation: MessageView[] = [];
  const places = new Map<string, number>();
  let end = stored.length;
  for (const [index, message] of [...prompt.entries()].reverse()) {
    for (const read of viewMessage(message).reverse()) {
      const found = stored.findLastIndex((one, at) => at < end && isSame(one, read));
      if (found !== -1) {
        conversation.push(
          ...stored
            .slice(found + 1, end)
            .reverse()
            .map(withoutWords),
        );
        end = found;
      }
      let key = stored[found]?.key ?? read.key;
      while (key !== assistant && places.has(key)) key += "'";
      const view = { ...read, key };
      places.set(key, index);
      messages.push(view);
      conversation.push(view);
    }
  }
  conversation.push(...stored.slice(0, end).reverse().map(withoutWords));
  return { messages: messages.reverse(), conversation: conversation.reverse(), places };
}

/** Returns a prompt with the changes in it; what does not change stays the same object. */
export function editPrompt(prompt: Prompt, { places }: PromptView, { edits, system }: Preparation): Prompt {
  const edited = [...prompt];
  for (const edit of edits) {
    const index = 'key' in edit ? places.get(edit.key) : undefined;
    const message = index === undefined ? undefined : edited[index];
    if (index !== undefined && message !== undefined) edited[index] = editMessage(message, edit);
  }
  const systems = system === '' ? [] : [markAdded({ role: 'system' as const, content: system })];
  const starts = edits.flatMap((edit) =>
    'start' in edit ? [markAdded({ role: 'user' as const, content: [createPart(edit.start)] })] : [],
  );
  const first = edited.findIndex(({ role }) => role !== 'system');
  return edited.toSpliced(first === -1 ? edited.length : first, 0, ...systems, ...starts);
}

/** The key of everything that a model wrote: nothing is ever put there. */
const assistant = 'assistant';

function viewMessage({ role, content }: PromptMessage): MessageView[] {
  if (role === 'system') return [];
  if (role === 'assistant') return [{ key: assistant, role }];
  if (role === 'user') {
    const text = textOf(content.filter(({ type }) => type === 'text'));
    return [{ key: hash(text), role, text }];
  }
  return content.flatMap(({ toolCallId, toolName, output }) => [
    viewResult(toolCallId, toolCallId, toolName, 'value' in output ? textOf(output.value) : ''),
  ]);
}

function viewResult(key: string, id: string, tool: string, text: string): MessageView {
  return { key, role: 'tool', results: [{ id, tool, text }] };
}

function isSame(one: MessageView, other: MessageView): boolean {
  const [{ id, tool } = {}] = one.results ?? [];
  const [result] = other.results ?? [];
  if (one.role !== other.role || one.role === 'assistant') return false;
  return one.text === other.text && id === result?.id && tool === result?.tool;
}

/** What another processor keeps from the model activates nothing. */
function withoutWords({ key, role, results }: MessageView): MessageView {
  return { key, role, results };
}

function editMessage(message: PromptMessage, edit: MessageEdit): PromptMessage {
  if (message.role === 'user' && 'append' in edit) {
    return { ...message, content: [...message.content, createPart(edit.append)] };
  }
  if (message.role !== 'tool' || !('result' in edit)) return message;
  const content = message.content.map((part) =>
    part.toolCallId === edit.result ? { ...part, output: { type: 'text' as const, value: edit.text } } : part,
  );
  return { ...message, content };
}

function createPart(text: string) {
  return markAdded({ type: 'text' as const, text });
}

/** The text of a content: itself, its text parts one after the other, or the text of a tool's whole output. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return typeof content === 'object' && content !== null && 'text' in content ? String(content.text) : '';
}

/** Tells texts apart that no stored message has, without keeping their words. */
function hash(text: string): string {
  return `#${[...text].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7)}`;
}
