// Finds the context of each tool call of an agent, and asks the core to judge the call before it runs.

import type { Judgement, MessageView, SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import type { ModelMessage } from 'ai';
import type { SkillsOptions } from './options.ts';

/** What the AI SDK passes to each function of a tool about a call. */
export interface CallOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** How far a call is. */
export interface CallStage {
  /** It runs now, unless it is denied. */
  readonly runs?: boolean;
  /** It is judged again before it runs. */
  readonly judgesAgain?: boolean;
}

/** The calls of one agent. */
export interface Calls {
  /** Remembers a model call by its messages, or by their array, because only its tools receive the same objects. */
  begin(context: SkillContext, given: readonly object[]): void;
  /** Returns the context of a call, and remembers the call for the other calls of the same answer. */
  contextOf(call: ToolCall, given: CallOptions, stage?: CallStage): SkillContext;
  /** Judges a call before it runs. */
  judge(name: string, input: unknown, given: CallOptions, stage?: CallStage): Promise<Judgement>;
}

/** The context of a model call, the tool calls of its answer by id, and the ids of those that have begun to run. */
interface Answer {
  readonly context: SkillContext;
  readonly calls: Map<string, ToolCall>;
  readonly begun: Set<string>;
}

/** Creates the calls of one agent, or of a single model call, whose context is `single`. */
export function createCalls(toolkit: SkillToolkit, options: SkillsOptions, single?: SkillContext): Calls {
  /** The answers to model calls. */
  const answers = new WeakMap<object, Answer>();
  /** The answers whose model call is unknown. */
  const others = new WeakMap<object, Answer>();
  const contextOf: Calls['contextOf'] = (call, { toolCallId, messages, abortSignal }, { runs = false } = {}) => {
    const prepared = messages.findLast((message) => answers.has(message));
    const answer = answers.get(prepared ?? messages) ?? findOther(toolCallId, messages);
    const siblings = [...answer.calls.set(toolCallId, call).values()];
    if (runs) answer.begun.add(toolCallId);
    return { ...answer.context, ...(abortSignal && { signal: abortSignal }), call: toolCallId, siblings };
  };

  function findOther(id: string, given: readonly ModelMessage[]): Answer {
    const form = toolkit.createPromptForm<ModelMessage>();
    const views = given.flatMap((message) => form.view(message));
    const asked = findAsked(id, views);
    // Such an answer is found by the last message, because an application may pass the same array in each turn.
    const key = (asked && given.at(-1)) || given;
    const known = others.get(key);
    // If the call has already begun, the application sends the same messages once more, for example after an error of the model.
    if (known !== undefined && !known.begun.has(id)) return known;
    const context = single ?? { ...options, run: {}, messages: toolkit.viewMessages(given, form) };
    const answer = { context, calls: new Map(asked?.map((call) => [call.id, call])), begun: new Set<string>() };
    others.set(key, answer);
    return answer;
  }

  return {
    contextOf,
    begin(context, given) {
      const answer = { context, calls: new Map(), begun: new Set<string>() };
      for (const each of given) answers.set(each, answer);
    },
    judge(name, input, given, stage) {
      // Judging an answered call again would record a new question, for which an answer that a client forged would then count.
      const asks = options.asks !== false && !isAnswered(given);
      const call = { name, input };
      return toolkit.judge(call, { ...contextOf(call, given, stage), asks }, stage);
    },
  };
}

/**
 * Returns the calls of the answer that contains a call, if that is already in the messages because a person was asked. A call with a
 * result is another one with the same id.
 */
function findAsked(id: string, views: readonly Omit<MessageView, 'key'>[]): MessageView['calls'] {
  const at = views.findLastIndex(({ calls = [] }) => calls.some((call) => call.id === id));
  const hasResult = views.slice(at + 1).some(({ results = [] }) => results.some((result) => result.id === id));
  return hasResult ? undefined : views[at]?.calls;
}

/** Checks whether the last message contains the answer to the question about a call. */
export function isAnswered({ toolCallId, messages }: CallOptions): boolean {
  const last = partsOf(messages.at(-1));
  if (last.some((part) => part['type'] === 'tool-result' && part['toolCallId'] === toolCallId)) return false;
  const requests = messages.flatMap(partsOf).filter(({ type }) => type === 'tool-approval-request');
  const asked = requests.filter((part) => part['toolCallId'] === toolCallId).map(({ approvalId }) => approvalId);
  return last.some(({ type, approvalId }) => type === 'tool-approval-response' && asked.includes(approvalId));
}

function partsOf(message: ModelMessage | undefined): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(message?.content) ? message.content.map(Object) : [];
}
