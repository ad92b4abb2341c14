// A view of Mastra's messages for the core, and the core's changes in the prompt of a model.

import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { MessageEdit, MessageView, Preparation, ToolCall } from '@skillful/core';
import { markAdded } from './delegate.ts';

type Prompt = ProcessLLMRequestArgs['prompt'];
type PromptMessage = Prompt[number];
/** A message as a memory keeps it. */
type StoredMessage = ProcessInputStepArgs['messages'][number];

/** What the core reads of a prompt, and which message of the prompt it is in. */
type PromptView = readonly (MessageView & { readonly index: number })[];

/** Returns what the core reads of stored messages: what users said, and the result of each tool call as a message. */
export function viewStored(messages: readonly StoredMessage[]): readonly MessageView[] {
  const views = messages.flatMap(({ role, content }): readonly MessageView[] => {
    const parts = content.parts ?? [];
    if (role === 'user') return [viewUser(parts)];
    if (role !== 'assistant') return [];
    return parts.flatMap((part, index): readonly MessageView[] => {
      if (part.type !== 'tool-invocation') return [];
      const { toolInvocation: call } = part;
      // The calls of one step follow each other without anything between.
      const answer = parts[index - 1]?.type === 'tool-invocation' ? [] : [assistant];
      return call.state === 'result' ? [...answer, viewResult(call, call.result)] : answer;
    });
  });
  return withOwnKeys(views);
}

/** A call that a model made. */
interface ModelCall extends ToolCall {
  readonly id: string;
}

/** Returns the calls of a model's latest answer, which follow each other at the end of what it wrote. */
export function viewCalls(list: ProcessInputStepArgs['messageList'] | undefined): readonly ModelCall[] {
  const parts = list?.get.all.db().at(-1)?.content.parts ?? [];
  const before = parts.findLastIndex(({ type }) => type !== 'tool-invocation');
  return parts.slice(before + 1).flatMap((part): readonly ModelCall[] => {
    if (part.type !== 'tool-invocation') return [];
    const { toolCallId: id, toolName: name, args: input } = part.toolInvocation;
    return [{ id, name, input }];
  });
}

/** Returns the other calls of an answer. */
export function besides(calls: readonly ModelCall[], call: string): readonly ToolCall[] {
  return calls.filter(({ id }) => id !== call).map(({ name, input }) => ({ name, input }));
}

/** Returns what the core reads of a prompt. */
export function viewPrompt(prompt: Prompt): PromptView {
  return withOwnKeys(prompt.flatMap((message, index) => viewMessage(message).map((view) => ({ ...view, index }))));
}

/** Returns a prompt's messages, and in their places the results of tools that other processors have left out of it. */
export function viewConversation(shown: PromptView, stored: readonly MessageView[]): readonly MessageView[] {
  const places = new Map(stored.flatMap(({ key, role }, index) => (role === 'assistant' ? [] : [[key, index]])));
  let taken = 0;
  // What another processor keeps from the model activates nothing.
  const takeUntil = (end: number) => {
    const views = stored.slice(taken, end).map(({ text: _, ...view }) => view);
    taken = Math.max(taken, end);
    return views;
  };
  const known = shown.flatMap((view) => {
    const found = places.get(view.key);
    if (found === undefined || found < taken) return [view];
    const leftOut = takeUntil(found);
    taken += 1;
    return [...leftOut, view];
  });
  return [...known, ...takeUntil(stored.length)];
}

/** Returns a prompt with the changes in it; what does not change stays the same object. */
export function editPrompt(prompt: Prompt, shown: PromptView, { edits, system }: Preparation): Prompt {
  const places = new Map(shown.map(({ key, index }) => [key, index]));
  const own = prompt.map((): MessageEdit[] => []);
  for (const edit of edits) if ('key' in edit) own[places.get(edit.key) ?? -1]?.push(edit);
  const edited = prompt.map((message, index) => editMessage(message, own[index]));
  const systems = system === '' ? [] : [markAdded({ role: 'system' as const, content: system })];
  const starts = edits.flatMap((edit) =>
    'start' in edit ? [markAdded({ role: 'user' as const, content: [createPart(edit.start)] })] : [],
  );
  const first = edited.findIndex(({ role }) => role !== 'system');
  return edited.toSpliced(first === -1 ? edited.length : first, 0, ...systems, ...starts);
}

/** Everything that a model wrote: nothing is ever put there. */
const assistant: MessageView = { key: 'assistant', role: 'assistant' };

function viewMessage(message: PromptMessage): readonly MessageView[] {
  if (message.role === 'system') return [];
  if (message.role === 'assistant') return [assistant];
  if (message.role === 'user') return [viewUser(message.content)];
  return message.content.map((part) => viewResult(part, 'value' in part.output ? part.output.value : ''));
}

/** Mastra shows a prompt when each part was written, and a memory keeps it: with the length, that tells messages apart. */
function viewUser(parts: readonly { readonly type: string }[]): MessageView {
  const text = textOf(parts.filter(({ type }) => type === 'text'));
  const times = parts.map((part) => Object(part).createdAt ?? Object(part).providerOptions?.mastra?.createdAt);
  return { key: `${times.find((time) => time !== undefined)}.${text.length}`, role: 'user', text };
}

function viewResult(call: { readonly toolCallId: string; readonly toolName: string }, output: unknown): MessageView {
  const { toolCallId, toolName } = call;
  return { key: toolCallId, role: 'tool', results: [{ id: toolCallId, tool: toolName, text: textOf(output) }] };
}

/** Tells messages apart that have the same key, in the order in which they are. */
function withOwnKeys<View extends MessageView>(views: readonly View[]): readonly View[] {
  const counts = new Map<string, number>();
  return views.map((view) => {
    const count = counts.get(view.key) ?? 0;
    if (view.role !== 'assistant') counts.set(view.key, count + 1);
    return count === 0 ? view : { ...view, key: `${view.key}'${count}` };
  });
}

function editMessage(message: PromptMessage, edits: readonly MessageEdit[] = []): PromptMessage {
  if (edits.length === 0) return message;
  if (message.role === 'user') {
    const added = edits.flatMap((edit) => ('append' in edit ? [createPart(edit.append)] : []));
    return { ...message, content: [...message.content, ...added] };
  }
  if (message.role !== 'tool') return message;
  const texts = new Map(edits.flatMap((edit) => ('result' in edit ? [[edit.result, edit.text] as const] : [])));
  const content = message.content.map((part) => {
    const value = texts.get(part.toolCallId);
    return value === undefined ? part : { ...part, output: { type: 'text' as const, value } };
  });
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
