// What the calls of one run share, and what is known about a tool call.

import type { MessageView, SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import type { ModelMessage } from 'ai';
import { viewMessages } from './conversation.ts';
import { partsOf } from './parts.ts';

/** One answer of the model: what it was given, and the calls that it makes, by their ids. */
export interface Run {
  readonly context: SkillContext & { readonly messages: readonly MessageView[] };
  readonly calls: Map<string, ToolCall>;
}

/** The answers of the model, by the array of messages that each passes to its tools. */
export type Runs = WeakMap<object, Run>;

/** What the AI SDK tells each function of a tool about a call. */
export interface CallOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** Returns the context of a tool call, and remembers the call for the others of the same answer. */
export function contextOf(
  call: ToolCall,
  { toolCallId, messages, abortSignal }: CallOptions,
  { toolkit, runs }: { readonly toolkit: SkillToolkit; readonly runs: Runs },
): SkillContext {
  const known = runs.get(messages);
  const { context, calls } = known ?? { context: { messages: viewMessages(messages, toolkit) }, calls: callsWith() };
  if (known === undefined) runs.set(messages, { context, calls });
  calls.set(toolCallId, call);
  return { ...context, ...(abortSignal && { signal: abortSignal }), call: toolCallId, siblings: [...calls.values()] };

  /** A call that was asked about is in the messages, with the others of its answer. */
  function callsWith(): Map<string, ToolCall> {
    const answers = messages.map(({ content }) => partsOf(content).filter(({ type }) => type === 'tool-call'));
    const last = answers.findLast((parts) => parts.some((part) => part.toolCallId === toolCallId)) ?? [];
    return new Map(last.map(({ toolCallId: id, toolName, input }) => [String(id), { name: String(toolName), input }]));
  }
}

/** Checks whether the last message answers the question about a call. */
export function isAnswered({ toolCallId, messages }: CallOptions): boolean {
  const last = messages.at(-1)?.content;
  const ofCall = (content: unknown, kind: string) =>
    partsOf(content).filter((part) => part['type'] === kind && part['toolCallId'] === toolCallId);
  if (ofCall(last, 'tool-result').length > 0) return false;
  const asked = messages.flatMap(({ content }) => ofCall(content, 'tool-approval-request'));
  const answers = partsOf(last).filter(({ type }) => type === 'tool-approval-response');
  return answers.some((answer) => asked.some(({ approvalId }) => approvalId === answer['approvalId']));
}
