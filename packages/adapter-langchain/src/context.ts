// Collects what is known about a call: the request, the ids of the conversation, and the model call that a tool call belongs to.

import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { getConfig } from '@langchain/langgraph';
import type { AdapterOptions, SkillContext, SkillEvent } from '@skillful/core';

/** How an agent uses skills. Events are written for `streamMode: 'custom'`, as `{ skillful: event }`. */
export type SkillsOptions<Context = unknown> = AdapterOptions<Context>;

/** The options that not all adapters have. */
export const optionNames: readonly string[] = ['streamEvents'];

/** The part of a node's second argument that skills need. A catalog function receives `context` as its request. */
export interface NodeConfig {
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
  readonly configurable?: object | undefined;
  readonly writer?: ((chunk: unknown) => unknown) | null | undefined;
}

/** Returns the context of a call for the core. */
export function createContext(config: NodeConfig, options: SkillsOptions): SkillContext {
  const { signal, context: request, writer } = config;
  const { about, asks, streamEvents } = options;
  const { thread_id: thread, run_id: run, ls_agent_type: type } = Object(config.configurable);
  // Deep Agents passes the type. Another model writes the words of a user for a sub-agent, which may inherit these options.
  const { mentions = type === 'subagent' ? false : undefined } = options;
  // The name of the agent is in the metadata, which LangChain does not pass to middleware.
  const { lc_agent_name: agent } = Object(getConfig()?.metadata);
  return {
    signal,
    request,
    mentions,
    asks,
    branch: branchOf(config),
    about: { thread, run, agent, ...(typeof about === 'function' ? about(request) : about) },
    onEvent: streamEvents ? (event) => writer?.({ skillful: withoutError(event) }) : undefined,
    onProgress: streamEvents
      ? (progress) => writer?.({ skillful: { type: 'script-progress', ...progress } })
      : undefined,
  };
}

/** Returns the place of an agent in the graph that runs it: that of its node, without the node itself. */
export function branchOf({ configurable }: NodeConfig): string {
  const { checkpoint_ns: place = '' } = Object(configurable);
  return String(place).split('|').slice(0, -1).join('|');
}

/** Returns an event without the text of an error, which may contain paths of the server. */
function withoutError(event: SkillEvent): object {
  return event.type.endsWith('-failed') ? { ...event, reason: undefined } : event;
}

/**
 * Model calls by their answers and the tool calls in them, the only objects that reach the nodes of the model and of its tools. Other
 * middleware may copy an answer, for example to redact it, but not its tool calls.
 */
const calls = new WeakMap<object, SkillContext>();

/** Keeps the model call that gave an answer. */
export function keepCall(answer: BaseMessage, call: SkillContext): void {
  for (const key of keysOf(answer)) calls.set(key, call);
}

function keysOf(answer: BaseMessage): readonly object[] {
  return [answer, ...((AIMessage.isInstance(answer) && answer.tool_calls) || [])];
}

/** Returns the model call that gave an answer. Empty if it is unknown, or of another request or agent. */
export function findCall(
  answer: BaseMessage | undefined,
  { request, about }: SkillContext,
): Pick<SkillContext, 'run' | 'offered'> {
  const known = answer === undefined ? [] : keysOf(answer).map((key) => calls.get(key));
  const call = known.find((one) => one !== undefined);
  const isSame = call?.request === request && call?.about?.['agent'] === about?.['agent'];
  return isSame && call !== undefined ? call : {};
}

/** The attempts of model calls that continue a run, by the answers that they follow. */
const attempts = new WeakMap<object, object>();

/**
 * Returns the run of a model call: that of the answer it follows, else the attempt itself. Of parallel conversations with the same
 * answer, only the first continues its run, because none must know what happens in another.
 */
export function continueRun(answer: BaseMessage | undefined, call: SkillContext, attempt: object = {}): object {
  const { run } = findCall(answer, call);
  if (answer === undefined || run === undefined) return attempt;
  if (!attempts.has(answer)) attempts.set(answer, attempt);
  return attempts.get(answer) === attempt ? run : attempt;
}
