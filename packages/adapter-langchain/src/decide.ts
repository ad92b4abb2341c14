// Lets the application activate and end skills in a conversation that a checkpointer keeps.

import type { RunnableConfig } from '@langchain/core/runnables';
import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { middlewareName, recordDecisions, recordField, type SkillRecord } from './state.ts';

/** An agent of `createAgent`, as far as its state is read and written. */
export interface StatefulAgent {
  readonly graph: {
    getState(config: RunnableConfig): Promise<{ readonly createdAt?: string; readonly next: readonly string[] }>;
    updateState(config: RunnableConfig, values: Record<string, unknown>, asNode?: string): Promise<unknown>;
  };
}

/** The conversation by its `thread_id`, and the `context` that a toolkit's catalog function receives as its request. */
export type DecisionConfig = RunnableConfig & { readonly context?: unknown };

/** An update of the private state of an agent that has `skillsMiddleware`. */
export type SkillsUpdate = { readonly [recordField]: SkillRecord };

/**
 * Activates skills in a conversation: their text is attached from the next model call on.
 *
 * Gives the update of the state that says so. With an agent, which needs a checkpointer, it is written at once. Where a run
 * waits for an answer, it is to go with it: `new Command({ resume, update: await activateSkills(toolkit, names) })`; it then
 * counts before what the waiting step itself does.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error where a run of the conversation waits or has no
 * checkpointer
 */
export async function activateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  agent?: StatefulAgent,
  config: DecisionConfig = {},
): Promise<SkillsUpdate> {
  return record(await toolkit.activateSkills(names, { request: config.context }), agent, config);
}

/**
 * Ends skills in a conversation: their instructions leave the context at the next model call, until they are activated
 * again.
 *
 * Gives the update of the state that says so. With an agent, which needs a checkpointer, it is written at once. Where a run
 * waits for an answer, it is to go with it: `new Command({ resume, update: await deactivateSkills(toolkit, names) })`; it then
 * counts before what the waiting step itself does.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error where a run of the conversation waits or has no
 * checkpointer
 */
export async function deactivateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  agent?: StatefulAgent,
  config: DecisionConfig = {},
): Promise<SkillsUpdate> {
  return record(await toolkit.deactivateSkills(names, { request: config.context }), agent, config);
}

async function record(
  items: readonly ConversationItem[],
  agent: StatefulAgent | undefined,
  config: RunnableConfig,
): Promise<SkillsUpdate> {
  const update = { [recordField]: recordDecisions(items) };
  if (agent === undefined) return update;
  const { createdAt, next } = await agent.graph.getState(config);
  if (next.length > 0) {
    throw new Error(
      'A run of this conversation goes on or waits for an answer. Leave the agent out, and hand the update over with the answer: `new Command({ resume, update })`.',
    );
  }
  // What begins a conversation passes for input, which is no way into private state: the middleware's node has to write it.
  const writer = createdAt === undefined ? [`${middlewareName}.before_agent`] : [];
  await agent.graph.updateState(config, update, ...writer);
  return update;
}
