// Lets the application activate and end skills in a conversation that a checkpointer keeps.

import type { RunnableConfig } from '@langchain/core/runnables';
import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { middlewareName, recordDecisions, recordField } from './state.ts';

/** An agent of `createAgent`, as far as its state is written. */
export interface StatefulAgent {
  readonly graph: {
    getState(config: RunnableConfig): Promise<{ readonly createdAt?: string }>;
    updateState(config: RunnableConfig, values: Record<string, unknown>, asNode?: string): Promise<unknown>;
  };
}

/**
 * Activates skills in the conversation of a `config` with `thread_id`: their text is attached from the next model call on.
 *
 * The agent needs a checkpointer. A toolkit's catalog function receives, as its request, the `context` of the `config`.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function activateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  agent: StatefulAgent,
  config: RunnableConfig & { readonly context?: unknown },
): Promise<void> {
  const items = await toolkit.activateSkills(names, { request: config.context });
  await record(items, agent, config);
}

/**
 * Ends skills in the conversation of a `config` with `thread_id`: their instructions leave the context at the next model
 * call, until they are activated again.
 *
 * The agent needs a checkpointer. A toolkit's catalog function receives, as its request, the `context` of the `config`.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function deactivateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  agent: StatefulAgent,
  config: RunnableConfig & { readonly context?: unknown },
): Promise<void> {
  const items = await toolkit.deactivateSkills(names, { request: config.context });
  await record(items, agent, config);
}

/** What begins a conversation passes for input, which is no way into private state: there, the middleware's node writes it. */
async function record(items: readonly ConversationItem[], { graph }: StatefulAgent, config: RunnableConfig) {
  const { createdAt } = await graph.getState(config);
  const writer = createdAt === undefined ? [`${middlewareName}.before_agent`] : [];
  await graph.updateState(config, { [recordField]: recordDecisions(items) }, ...writer);
}
