// Collects what a node of the graph knows about a call: the request, and the ids of the conversation.

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
