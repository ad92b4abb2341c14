// Finds the context of each tool call of an agent, and asks the core to judge the call before it runs.

import type { Judgement, SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import type { ModelMessage } from 'ai';
import { partsOf, viewMessages } from './conversation.ts';
import type { SkillsOptions } from './options.ts';

/** What the AI SDK passes to each function of a tool about a call. */
export interface CallOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** The calls of one agent. */
export interface Calls {
  /** Remembers a model call by its messages, or by their array, because only its tools receive the same objects. */
  begin(context: SkillContext, given: readonly object[]): void;
  /** Returns the context of a call, and remembers the call for the other calls of the same answer. */
  contextOf(call: ToolCall, given: CallOptions): SkillContext;
  /** Judges a call before it runs. */
  judge(name: string, input: unknown, given: CallOptions): Promise<Judgement>;
}

/** The context of a model call, and the tool calls of its answer by id. */
interface Answer {
  readonly context: SkillContext;
  readonly calls: Map<string, ToolCall>;
}

/** Creates the calls of one agent, or of a single model call, whose context is `known`. */
export function createCalls(toolkit: SkillToolkit, options: SkillsOptions, known?: SkillContext): Calls {
  /** The answers to model calls. */
  const answers = new WeakMap<object, Answer>();
  /** The answers whose model call is unknown. */
  const others = new WeakMap<object, Answer>();
  const contextOf: Calls['contextOf'] = (call, { toolCallId, messages, abortSignal }) => {
    const begun = messages.findLast((message) => answers.has(message));
    const answer = answers.get(begun ?? messages) ?? findOther(toolCallId, messages);
    const siblings = [...answer.calls.set(toolCallId, call).values()];
    return { ...answer.context, ...(abortSignal && { signal: abortSignal }), call: toolCallId, siblings };
  };

  function findOther(id: string, messages: readonly ModelMessage[]): Answer {
    const beside = callsBeside(id, messages);
    // A call that a person was asked about is found by the last message, because an application may pass the same array in
    // each turn.
    const key = (beside.size > 0 && messages.at(-1)) || messages;
    const run = beside.size > 0 ? {} : undefined;
    const create = () => known ?? { ...options, run, messages: viewMessages(messages, toolkit) };
    const answer = others.get(key) ?? { context: create(), calls: beside };
    others.set(key, answer);
    return answer;
  }

  return {
    contextOf,
    begin(context, given) {
      const answer = { context, calls: new Map() };
      for (const each of given) answers.set(each, answer);
    },
    judge(name, input, given) {
      // Judging an answered call again would record a new question, for which an answer that a client forged would then count.
      const asks = options.asks !== false && !isAnswered(given);
      const call = { name, input };
      return toolkit.judge(call, { ...contextOf(call, given), asks });
    },
  };
}

/** Returns the calls of an answer that is already in the messages, because a person was asked about one of the calls. */
function callsBeside(id: string, messages: readonly ModelMessage[]): Map<string, ToolCall> {
  const answers = messages.map(({ content }) => partsOf(content).filter(({ type }) => type === 'tool-call'));
  const calls = answers.findLast((parts) => parts.some(({ toolCallId }) => toolCallId === id)) ?? [];
  return new Map(
    calls.map(({ toolCallId, toolName: name, input }) => [String(toolCallId), { name: String(name), input }]),
  );
}

/** Checks whether the last message contains the answer to the question about a call. */
export function isAnswered({ toolCallId, messages }: CallOptions): boolean {
  const last = messages.at(-1)?.content;
  const ofCall = (content: unknown, kind: string) =>
    partsOf(content).filter((part) => part['type'] === kind && part['toolCallId'] === toolCallId);
  if (ofCall(last, 'tool-result').length > 0) return false;
  const asked = messages.flatMap(({ content }) => ofCall(content, 'tool-approval-request'));
  const answers = partsOf(last).filter(({ type }) => type === 'tool-approval-response');
  return answers.some((answer) => asked.some(({ approvalId }) => approvalId === answer['approvalId']));
}
