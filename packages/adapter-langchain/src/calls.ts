// Finds the model call that a tool call, or the next model call, follows. No object of ours reaches both, so the maps are by objects
// of LangChain, and forget a conversation together with it.

import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillContext } from '@skillful/core';

/**
 * Model calls, by their answer and by each tool call in it. Other middleware may copy an answer, for example to redact it, but not
 * its tool calls.
 */
const modelCalls = new WeakMap<object, SkillContext>();

/** Keeps the model call that gave an answer. */
export function keepContext(answer: BaseMessage, call: SkillContext): void {
  for (const key of keysOf(answer)) modelCalls.set(key, call);
}

/**
 * Returns the model call that gave an answer. Empty if it is of another request or agent, or unknown: after a question, LangGraph reads
 * the messages from its checkpoint, as new objects. The core then finds the question by thread, agent, branch and call.
 */
export function findContext(
  answer: BaseMessage | undefined,
  { request, about }: SkillContext,
): Pick<SkillContext, 'run' | 'offered'> {
  const known = answer === undefined ? [] : keysOf(answer).map((key) => modelCalls.get(key));
  const call = known.find((one) => one !== undefined);
  const isSame = call?.request === request && call?.about?.['agent'] === about?.['agent'];
  return isSame && call !== undefined ? call : {};
}

function keysOf(answer: BaseMessage): readonly object[] {
  return [answer, ...((AIMessage.isInstance(answer) && answer.tool_calls) || [])];
}

/** The attempt that continues the run of an answer, by that answer. */
const continuing = new WeakMap<object, object>();

/**
 * Returns the run of a model call: that of the answer whose tools it follows, else the attempt itself. Of parallel conversations
 * with the same answer, only the first continues its run, because none must know what happens in another.
 */
export function findRun(conversation: readonly BaseMessage[], call: SkillContext, attempt: object = {}): object {
  const isNext = ToolMessage.isInstance(conversation.at(-1));
  const answer = isNext ? conversation.findLast((message) => !ToolMessage.isInstance(message)) : undefined;
  const { run } = findContext(answer, call);
  if (answer === undefined || run === undefined) return attempt;
  if (!continuing.has(answer)) continuing.set(answer, attempt);
  return continuing.get(answer) === attempt ? run : attempt;
}

/** Reports of events, by run. They wait for an answer of the model, because a failed attempt is made again. */
const waiting = new WeakMap<object, (() => void)[]>();

/** Returns the reports of a run that wait for an answer. Others may add to them and take them out. */
export function reportsOf(run: object): (() => void)[] {
  const reports = waiting.get(run) ?? [];
  waiting.set(run, reports);
  return reports;
}
