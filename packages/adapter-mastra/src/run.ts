// What the hooks and the tools of one run have in common, and no other run does.

import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { RequestContext } from '@mastra/core/request-context';
import type { EventContext, MessageView, SkillContext, SkillState } from '@skillful/core';
import type { SkillThread } from './thread.ts';

/** How an agent is told about skills. */
export interface SkillsOptions extends Pick<SkillThread, 'memory' | 'store'> {
  /** Takes the place of the toolkit's option. Turn it off for a sub-agent: a model writes its "user" messages. */
  readonly mentions?: SkillContext['mentions'];
  /** What every event says beside `thread`, `agent` and, if Mastra tells it, `run`: such as a tenant. */
  readonly about?: EventContext | ((requestContext: RequestContext | undefined) => EventContext) | undefined;
  /**
   * Writes what begins, moves and ends into the stream, as `data-skill` chunks that no memory keeps.
   * @default false
   */
  readonly streamEvents?: boolean | undefined;
  /** The id of the agent, which `withSkills` knows: a sub-agent may have the request of its supervisor. */
  readonly agent?: string | undefined;
}

/** One run of an agent. */
export interface SkillRun {
  /** As Mastra resolved it, which no client can forge. */
  readonly thread: SkillThread | undefined;
  readonly about: EventContext;
  messageList: ProcessInputStepArgs['messageList'];
  /** The tools that the model is offered in the current step. */
  offered: readonly string[];
  /** The conversation, as of the latest model call. */
  messages?: readonly MessageView[];
  state?: SkillState | undefined;
  /** What the store is known to contain. */
  stored?: SkillState | undefined;
}

/** The latest run of each agent, by the request that all of a run share. */
const runs = new WeakMap<object, Map<string | undefined, SkillRun>>();

/** Finds the run that a tool call belongs to. */
export function findRun(request: object | undefined, { agent }: SkillsOptions): SkillRun | undefined {
  return request && runs.get(request)?.get(agent);
}

/** Begins a run, and lets its tools find it. */
export function beginRun(
  { messageList, requestContext, runId }: ProcessInputStepArgs,
  options: SkillsOptions,
): SkillRun {
  const { memory, store, agent } = options;
  const { threadId, resourceId } = messageList.serialize().memoryInfo ?? {};
  const about = typeof options.about === 'function' ? options.about(requestContext) : options.about;
  const run: SkillRun = {
    thread: threadId === undefined ? undefined : { threadId, resourceId, memory, store, requestContext },
    about: {
      ...(threadId !== undefined && { thread: threadId }),
      ...(runId !== undefined && { run: runId }),
      ...(agent !== undefined && { agent }),
      ...about,
    },
    messageList,
    offered: [],
  };
  if (requestContext === undefined) return run;
  runs.set(requestContext, (runs.get(requestContext) ?? new Map()).set(agent, run));
  return run;
}
