// Converts Mastra's messages for the core, and applies the core's changes to a prompt.

import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { MessageView, Preparation, SkillToolkit, ToolCall, UnkeyedMessage } from '@skillful/core';

type Prompt = ProcessLLMRequestArgs['prompt'];
type PromptMessage = Prompt[number];
/** A message as a memory stores it. */
type StoredMessage = ProcessInputStepArgs['messages'][number];

/** Returns stored messages as the core views them. The result of each tool call becomes a separate message. */
export function viewStored(messages: readonly StoredMessage[], toolkit: SkillToolkit): readonly MessageView[] {
  const times = timesOf(messages);
  const views = messages.flatMap(({ id, role, content }): readonly UnkeyedMessage[] => {
    const parts = content.parts ?? [];
    if (role === 'signal') return Object(content.metadata?.['signal']).type === 'user' ? [viewUser(parts)] : [];
    if (role !== 'assistant') return role === 'user' ? [viewUser(parts, times)] : [];
    return parts.flatMap((part, index): readonly UnkeyedMessage[] => {
      const said = [{ ...assistant, said: id }];
      if (part.type !== 'tool-invocation') return part.type === 'text' ? said : [];
      const { toolInvocation: call } = part;
      // The calls of one step follow each other directly.
      const answer = parts[index - 1]?.type === 'tool-invocation' ? [] : said;
      return call.state === 'result' ? [...answer, viewResult(call, call.result)] : answer;
    });
  });
  return toolkit.keyMessages(views);
}

/** A call that a model made. */
export interface ModelCall extends ToolCall {
  readonly id: string;
}

/** Returns the calls of a model's latest answer, which are together at the end of what it wrote. */
export function viewCalls(messages: readonly StoredMessage[]): readonly ModelCall[] {
  const parts = messages.at(-1)?.content.parts ?? [];
  const before = parts.findLastIndex(({ type }) => type !== 'tool-invocation');
  return parts.slice(before + 1).flatMap((part): readonly ModelCall[] => {
    if (part.type !== 'tool-invocation') return [];
    const { toolCallId: id, toolName: name, args: input } = part.toolInvocation;
    return [{ id, name, input }];
  });
}

/** Returns the times of the stored user messages, which are the same in a prompt. */
export function timesOf(messages: readonly StoredMessage[]): ReadonlySet<unknown> {
  return new Set(messages.filter(({ role }) => role === 'user').map(({ content }) => timeOf(content.parts ?? [])));
}

/** Returns the messages of a prompt as the core views them. `times` are those of the stored user messages. */
export function viewPrompt(
  prompt: Prompt,
  toolkit: SkillToolkit,
  times: ReadonlySet<unknown> = new Set(),
): readonly MessageView[] {
  const views = prompt.flatMap((message, index) => viewMessage(message, times).map((view) => ({ ...view, index })));
  return toolkit.keyMessages(views);
}

/**
 * Returns stored messages without texts that other processors hide from the model, because hidden text must not activate skills.
 */
export function hideUnshown(stored: readonly MessageView[], shown: readonly MessageView[]): readonly MessageView[] {
  const keys = new Set(shown.map(({ key }) => key));
  return stored.map((view) => (keys.has(view.key) ? view : { ...view, text: undefined }));
}

/** Applies the changes to a prompt. */
export function editPrompt(
  { prompt, model }: Pick<ProcessLLMRequestArgs, 'prompt' | 'model'>,
  shown: readonly MessageView[],
  { edits, system }: Preparation,
  toolkit: SkillToolkit,
): Prompt {
  return toolkit.editMessages(prompt, shown, edits, toolkit.createPromptWriter<PromptMessage>(nameOf(model), system));
}

function nameOf(model: object): string {
  const { provider, modelId, gatewayId, config = {} } = Object(model);
  if (gatewayId === undefined) return String(provider);
  // If Mastra's router was given a URL, it speaks to all vendors as to OpenAI.
  return config.url === undefined ? `${provider}/${modelId}` : `openai-compatible.${config.api ?? 'chat'}`;
}

/** Stands for every message that a model wrote, because skills never change those. */
const assistant: UnkeyedMessage = { said: 'assistant', role: 'assistant' };

function viewMessage(message: PromptMessage, times: ReadonlySet<unknown>): readonly UnkeyedMessage[] {
  if (message.role === 'system') return [];
  if (message.role === 'assistant') return [assistant];
  if (message.role === 'user') return [viewUser(message.content, times)];
  return message.content.map((part) => viewResult(part, part.output));
}

type UserPart = { readonly type: string };

/**
 * Views a user message. It is identified by its length and the time when it was written, which are the same in a prompt and in a
 * memory. A message that was sent to a running agent gets another time in each prompt, so it is identified by its text.
 */
function viewUser(parts: readonly UserPart[], times: ReadonlySet<unknown> = new Set()): UnkeyedMessage {
  const text = textOf(parts.filter(({ type }) => type === 'text'));
  const time = timeOf(parts);
  return { said: times.has(time) ? `${time}.${text.length}` : text, role: 'user', text };
}

function timeOf(parts: readonly UserPart[]): unknown {
  const times = parts.map((part) => Object(part).createdAt ?? Object(part).providerOptions?.mastra?.createdAt);
  return times.find((time) => time !== undefined);
}

function viewResult(call: { readonly toolCallId: string; readonly toolName: string }, output: unknown): UnkeyedMessage {
  const { toolCallId: id, toolName: tool } = call;
  return { said: id, role: 'tool', results: [{ id, tool, text: textOf(output) }] };
}

/** Returns the text of a content: itself, the texts of its parts, or the text in the output of a tool. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  const { value, text = value === undefined ? '' : textOf(value) } = Object(content);
  return String(text);
}
