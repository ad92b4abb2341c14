// What is known of a call: the request, the conversation's ids, and the model call that a tool belongs to.

import type { BaseMessage } from '@langchain/core/messages';
import type { SkillContext } from '@skillful/core';

/** How an agent is told about skills. */
export interface SkillsOptions {
  /** Takes the place of the toolkit's option. Turn it off for a sub-agent: a model writes its "user" messages. */
  readonly mentions?: SkillContext['mentions'];
  /** What every event says beside `thread` and `run`, such as a tenant; a function receives the `context` of the run. */
  readonly about?: SkillContext['about'] | ((context: unknown) => SkillContext['about']);
}

/** The second argument of a node, as far as skills need it. */
export interface NodeConfig {
  readonly signal?: AbortSignal | undefined;
  /** Passed to a catalog function as its request. */
  readonly context?: unknown;
  readonly configurable?: object | undefined;
}

/** Returns what the core may know of a call. */
export function createContext(config: NodeConfig, { mentions, about }: SkillsOptions): SkillContext {
  const { signal, context: request } = config;
  const { thread_id: thread, run_id: run } = Object(config.configurable);
  const told = { thread, run, ...(typeof about === 'function' ? about(request) : about) };
  const known = Object.entries(told).filter(([, value]) => typeof value === 'string');
  return { signal, request, mentions, about: known.length === 0 ? undefined : Object.fromEntries(known) };
}

/** Model calls by their answers, because LangGraph shares no other object between a model's node and its tools'. */
const calls = new WeakMap<BaseMessage, SkillContext>();

/** Lets the tools that an answer calls use the catalog of the model call. */
export function rememberCall(answer: BaseMessage, context: SkillContext): void {
  calls.set(answer, context);
}

/** Finds what the latest model call and its tools have in common; nothing if it was another request's. */
export function findRun(messages: readonly BaseMessage[], request: unknown): object {
  const answer = messages.findLast(({ type }) => type === 'ai');
  const call = answer && calls.get(answer);
  return (call?.request === request && call?.run) || {};
}
