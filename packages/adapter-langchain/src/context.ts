// What is known of a call: the request, the ids of the conversation, and the model call that a tool belongs to.

import type { BaseMessage } from '@langchain/core/messages';
import type { SkillContext } from '@skillful/core';

interface About<Context> {
  about(context: Context): SkillContext['about'];
}

/** How an agent is told about skills. */
export interface SkillsOptions<Context = unknown> {
  /** Takes the place of the toolkit's option. Turn it off for a sub-agent: a model writes its "user" messages. */
  readonly mentions?: SkillContext['mentions'];
  /** What every event says beside `thread` and `run`, such as a tenant; a function receives the `context` of the run. */
  readonly about?: SkillContext['about'] | About<Context>['about'];
  /**
   * Writes what happens to skills to the graph's stream, as `{ skillful: event }`, and what a script writes while it runs, as
   * `{ skillful: { type: 'script-progress', … } }`: for `streamMode: 'custom'`.
   * @default false
   */
  readonly streamEvents?: boolean | undefined;
}

/** The second argument of a node, as far as skills need it; a catalog function receives `context` as its request. */
export interface NodeConfig {
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
  readonly configurable?: object | undefined;
  readonly writer?: ((chunk: unknown) => unknown) | null | undefined;
}

/** Returns what the core may know of a call. */
export function createContext(config: NodeConfig, options: SkillsOptions): SkillContext {
  const { signal, context: request, writer } = config;
  const { mentions, about, streamEvents } = options;
  const { thread_id: thread, run_id: run } = Object(config.configurable);
  return {
    signal,
    request,
    mentions,
    about: { thread, run, ...(typeof about === 'function' ? about(request) : about) },
    onEvent: streamEvents ? (event) => writer?.({ skillful: event }) : undefined,
    onProgress: streamEvents
      ? (progress) => writer?.({ skillful: { type: 'script-progress', ...progress } })
      : undefined,
  };
}

/** Model calls by their answers: no other object reaches both the node of the model and the one of its tools. */
export const calls: WeakMap<BaseMessage, SkillContext> = new WeakMap();

/** Returns what is known of the latest model call; a new `run` if it was another request's, or in another process. */
export function findCall(
  answer: BaseMessage | undefined,
  { request }: SkillContext,
): Pick<SkillContext, 'run' | 'offered'> {
  const call = answer && calls.get(answer);
  return call?.request === request && call?.run !== undefined ? { run: call.run, offered: call.offered } : { run: {} };
}
