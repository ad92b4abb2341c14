// Converts Mastra's messages for the core, and applies the core's changes to a prompt.

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
  /** Texts that are between tags in a prompt, because their messages have attributes, such as who wrote them in Slack. */
  readonly tagged: ReadonlySet<string>;
}

/** Returns stored messages as the core views them. The result of each tool call becomes a separate message. */
export function viewStored(messages: readonly StoredMessage[], toolkit: SkillToolkit): readonly MessageView[] {
  const { times } = usersOf(messages);
  const view = ({ id, role, content }: StoredMessage): readonly UnkeyedMessage[] => {
    const parts = content.parts ?? [];
    if (role === 'signal') return signalOf(content).type === 'user' ? [viewUser(parts)] : [];
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

/** Returns the calls of a model's latest answer, which are together at the end of what it wrote. */
export function viewCalls(messages: readonly StoredMessage[]): readonly CallView[] {
  const parts = messages.at(-1)?.content.parts ?? [];
  const before = parts.findLastIndex(({ type }) => type !== 'tool-invocation');
  return parts.slice(before + 1).flatMap((part): readonly CallView[] => {
    if (part.type !== 'tool-invocation') return [];
    const { toolCallId: id, toolName: name, args: input } = part.toolInvocation;
    return [{ id, name, input }];
  });
}

/** Returns what stored user messages tell about those in a prompt. */
export function usersOf(messages: readonly StoredMessage[]): StoredUsers {
  const users = messages.filter(({ role }) => role === 'user');
  const tagged = messages.filter(({ content }) => signalOf(content).type === 'user' && signalOf(content).attributes);
  return {
    times: new Set(users.map(({ content }) => timeOf(content.parts ?? []))),
    tagged: new Set(tagged.map(({ content }) => textOf(content.parts ?? []))),
  };
}

/** Creates the form of a prompt for a model. */
export function createForm(
  { model }: Pick<ProcessLLMRequestArgs, 'model'>,
  toolkit: SkillToolkit,
  { times, tagged }: StoredUsers,
): ReturnType<typeof toolkit.createPromptForm<PromptMessage>> {
  const identify = ({ content }: PromptMessage, text: string) =>
    identifyUser(content as readonly object[], withoutTags(text, tagged), times);
  const form = toolkit.createPromptForm({ model: nameOf(model), version: model.specificationVersion, identify });
  const view: typeof form.view = (message) =>
    form.view(message).map((seen) => ({ ...seen, text: seen.text && withoutTags(seen.text, tagged) }));
  return { ...form, view };
}

/** Returns the words that a user wrote, if the stored ones are between tags in a prompt. */
function withoutTags(text: string, tagged: StoredUsers['tagged']): string {
  const words = text
    .replace(/^<[^<>]*>([^<>]*)<[^<>]*>/, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return tagged.has(words) ? words : text;
}

/** Returns what Mastra stores of a message to a running agent or of another signal. */
function signalOf({ metadata }: StoredMessage['content']) {
  return Object(metadata?.['signal']);
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

function textOf(parts: readonly StoredPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
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
