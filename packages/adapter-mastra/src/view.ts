// Converts Mastra's messages for the core, and applies the core's changes to a prompt.

import { mastraDBMessageToSignal } from '@mastra/core/agent';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { CallView, MessageView, SkillToolkit, UnkeyedMessage } from '@skillful/core';

type Prompt = ProcessLLMRequestArgs['prompt'];
type PromptMessage = Prompt[number];
/** A message as a memory stores it. */
type StoredMessage = ProcessInputStepArgs['messages'][number];
type StoredPart = NonNullable<StoredMessage['content']['parts']>[number];

/** What the user messages in a memory tell about those in a prompt. */
export interface StoredUsers {
  /** When they were written, which is the same in a prompt. */
  readonly times: ReadonlySet<unknown>;
  /** What was sent to a running agent, by its text in a prompt: if it has attributes, such as its author in Slack, tags are around it. */
  readonly sent: ReadonlyMap<string, string>;
}

/** Returns stored messages as the core views them. The result of each tool call becomes a separate message. */
export function viewStored(
  messages: readonly StoredMessage[],
  toolkit: SkillToolkit,
  { times }: StoredUsers = usersOf(messages),
): readonly MessageView[] {
  const view = (message: StoredMessage): readonly UnkeyedMessage[] => {
    const { id, role, content } = message;
    const parts = content.parts ?? [];
    if (sentSignal(message) !== undefined) return [viewUser(parts)];
    if (role !== 'assistant') return role === 'user' ? [viewUser(parts, times)] : [];
    return parts.flatMap((part, index): readonly UnkeyedMessage[] => {
      const said = [{ said: id, role } as const];
      if (part.type !== 'tool-invocation') return part.type === 'text' ? said : [];
      const { toolInvocation: call } = part;
      // The calls of one step follow each other directly.
      const answer = parts[index - 1]?.type === 'tool-invocation' ? [] : said;
      if (call.state !== 'result') return answer;
      const { toolCallId, toolName: tool, result } = call;
      const { text } = toolkit.readResult(tool, result);
      return [...answer, { said: toolCallId, role: 'tool', results: [{ id: toolCallId, tool, text }] }];
    });
  };
  return toolkit.viewMessages(messages, { view });
}

/** A call of a model's answer, and whether it has a result. */
export type AnswerCall = CallView & { readonly isDone: boolean };

/** Returns the calls of a model's latest answer, which are together at the end of what it wrote. */
export function viewCalls(messages: readonly StoredMessage[]): readonly AnswerCall[] {
  const parts = messages.at(-1)?.content.parts ?? [];
  const before = parts.findLastIndex(({ type }) => type !== 'tool-invocation');
  return parts.slice(before + 1).flatMap((part): readonly AnswerCall[] => {
    if (part.type !== 'tool-invocation') return [];
    const { toolCallId: id, toolName: name, args: input, state } = part.toolInvocation;
    return [{ id, name, input, isDone: ['result', 'output-error', 'output-denied'].includes(state) }];
  });
}

/** Returns what stored user messages tell about those in a prompt. */
export function usersOf(messages: readonly StoredMessage[]): StoredUsers {
  const users = messages.filter(({ role }) => role === 'user');
  const sent = messages.flatMap((message): [string, string][] => {
    const shown = sentSignal(message)?.toLLMMessage().content;
    if (shown === undefined) return [];
    return [[typeof shown === 'string' ? shown : textOf(shown), textOf(message.content.parts ?? [])]];
  });
  return { times: new Set(users.map(({ content }) => timeOf(content.parts ?? []))), sent: new Map(sent) };
}

/** Creates the form of a prompt for a model. */
export function createForm(
  { model }: Pick<ProcessLLMRequestArgs, 'model'>,
  toolkit: SkillToolkit,
  { times, sent }: StoredUsers,
): ReturnType<typeof toolkit.createPromptForm<PromptMessage>> {
  const wordsOf = (text: string) => sent.get(text) ?? text;
  const identify = ({ content }: PromptMessage, text: string) =>
    identifyUser(content as readonly object[], wordsOf(text), times);
  const form = toolkit.createPromptForm({ model: nameOf(model), version: model.specificationVersion, identify });
  const view: typeof form.view = (message) =>
    form.view(message).map((seen) => ({ ...seen, text: seen.text && wordsOf(seen.text) }));
  return { ...form, view };
}

/** Returns what a user sent to a running agent; `undefined` for other signals and messages. */
function sentSignal(message: StoredMessage): ReturnType<typeof mastraDBMessageToSignal> | undefined {
  const signal = message.role === 'signal' ? mastraDBMessageToSignal(message) : undefined;
  return signal?.type === 'user' ? signal : undefined;
}

/**
 * Returns stored messages without texts that other processors hide from the model, because hidden text must not activate skills.
 */
export function hideUnshown(stored: readonly MessageView[], shown: readonly MessageView[]): readonly MessageView[] {
  const keys = new Set(shown.map(({ key }) => key));
  return stored.map((view) => (keys.has(view.key) ? view : { ...view, text: undefined }));
}

function nameOf(model: object): string {
  const { provider, modelId, gatewayId, config = {} } = Object(model);
  if (gatewayId === undefined) return String(provider);
  // If Mastra's router was given a URL, it speaks to all vendors as to OpenAI.
  return config.url === undefined ? `${provider}/${modelId}` : `openai-compatible.${config.api ?? 'chat'}`;
}

/** Views a user message in a memory. A message to a running agent has none of the `times` of such messages. */
function viewUser(parts: readonly StoredPart[], times: ReadonlySet<unknown> = new Set()): UnkeyedMessage {
  const text = textOf(parts);
  return { said: identifyUser(parts, text, times), role: 'user', text };
}

function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap(({ type, text = '' }) => (type === 'text' ? text : [])).join('\n');
}

/**
 * Identifies a user message by its length and the time when it was written, which are the same in a prompt and in a memory. A
 * message that was sent to a running agent gets another time in each prompt, so it is identified by its text.
 */
function identifyUser(parts: readonly object[], text: string, times: ReadonlySet<unknown>): string {
  const time = timeOf(parts);
  return times.has(time) ? `${time}.${text.length}` : text;
}

function timeOf(parts: readonly object[]): unknown {
  const times = parts.map((part) => Object(part).createdAt ?? Object(part).providerOptions?.mastra?.createdAt);
  return times.find((time) => time !== undefined);
}
