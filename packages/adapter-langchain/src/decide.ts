// Lets the application activate and deactivate skills in a conversation that a checkpointer keeps.

import type { RunnableConfig } from '@langchain/core/runnables';
import type { SkillDecision, SkillToolkit } from '@skillful/core';
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
 * Activates and deactivates skills in a conversation, from the next model call on, and returns the update of the state.
 *
 * With an agent, which needs a checkpointer, the update is written at once. While a run waits for an answer, pass the update
 * with the answer: `new Command({ resume, update: await decide(toolkit, { activate }) })`. It then counts before what the
 * waiting step does.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error if a run of the conversation waits or has no
 * checkpointer
 */
export async function decide(
  toolkit: SkillToolkit,
  decision: SkillDecision,
  agent?: StatefulAgent,
  config: DecisionConfig = {},
): Promise<SkillsUpdate> {
  const items = await toolkit.decide(decision, { request: config.context });
  const update = { [recordField]: recordDecisions(items) };
  if (agent === undefined) return update;
  const { createdAt, next } = await agent.graph.getState(config);
  if (next.length > 0) {
    throw new Error(
      'A run of this conversation goes on or waits for an answer. Leave the agent out, and pass the update with the answer: `new Command({ resume, update })`.',
    );
  }
  // What begins a conversation passes for input, which is no way into private state: the middleware's node has to write it.
  const writer = createdAt === undefined ? [`${middlewareName}.before_agent`] : [];
  await agent.graph.updateState(config, update, ...writer);
  return update;
}
