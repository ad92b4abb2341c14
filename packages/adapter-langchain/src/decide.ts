// Lets the application decide about skills in a conversation of a checkpointer, and list the active ones.

import type { RunnableConfig } from '@langchain/core/runnables';
import type { StateSnapshot } from '@langchain/langgraph';
import type { ActiveSkill, SkillDecision, SkillToolkit } from '@skillful/core';
import { createContext, optionNames, type SkillsOptions } from './context.ts';
import { viewMessages } from './messages.ts';
import { middlewareName } from './middleware.ts';
import { type SkillsUpdate, stateField, stateIn } from './state.ts';

/** The part of an agent of `createAgent` that is used: its state. */
export interface StatefulAgent {
  readonly graph: {
    getState(config: RunnableConfig): Promise<StateSnapshot>;
    updateState(config: RunnableConfig, values: Record<string, unknown>, asNode?: string): Promise<unknown>;
  };
}

/** A conversation of an agent that has `skillsMiddleware` and a checkpointer. */
export interface Conversation extends SkillsOptions {
  readonly agent: StatefulAgent;
  /** Contains the `thread_id`, and the `context` that a catalog function receives as its request. */
  readonly config: RunnableConfig & { readonly context?: unknown };
}

/** Lists the skills that are active in a conversation, the latest activation last. */
export async function activeSkills(toolkit: SkillToolkit, conversation: Conversation): Promise<readonly ActiveSkill[]> {
  assertConversation(toolkit, conversation);
  const { messages, context } = await readConversation(toolkit, conversation);
  return toolkit.active(messages, context);
}

/**
 * Activates and ends skills in a conversation, from the next model call on, and returns the update of the state.
 *
 * The update is written at once. A run that goes on meanwhile overwrites it. While a run waits for an answer, leave the agent
 * out, and pass the update with the answer: `new Command({ resume, update: await decide(toolkit, { activate }) })`.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if the decision or an option is not valid; an
 * error if a run waits for an answer, if a run failed after only some of its calls, or if nothing keeps the state
 */
export async function decide(
  toolkit: SkillToolkit,
  decision: SkillDecision,
  conversation: Partial<Conversation> = {},
): Promise<SkillsUpdate> {
  assertConversation(toolkit, conversation);
  const { agent, config = {} } = conversation;
  if (agent === undefined) {
    return { [stateField]: await toolkit.decide(decision, [], createContext(config, conversation)) };
  }
  const lost = 'The graph does not keep decisions about skills. Pass an agent that has `skillsMiddleware` itself.';
  const { channels } = Object(agent.graph);
  if (channels !== undefined && !(stateField in channels)) throw new Error(lost);
  const { snapshot, messages, context } = await readConversation(toolkit, { ...conversation, agent, config });
  if (snapshot.tasks.some(({ interrupts }) => interrupts.length > 0)) {
    throw new Error(
      'A run of this conversation waits for an answer. Leave the agent out, and pass the update with the answer: `new Command({ resume, update })`.',
    );
  }
  // A `RemoteGraph` has `null` for a call without a result.
  const done = snapshot.tasks.filter((task) => (Object(task).result ?? undefined) !== undefined);
  if (done.length > 0 && done.length < snapshot.tasks.length) {
    throw new Error(
      'A run of this conversation failed after some of its calls. Continue it first, with `invoke(null, config)`; otherwise LangGraph would drop the other calls.',
    );
  }
  const update = { [stateField]: await toolkit.decide(decision, messages, context) };
  // In the name of the node before the model call, so that the graph goes on with that call. Otherwise the graph would treat the
  // update as its input, which cannot set private state, or as an answer of the model, which would end the run.
  const isBeforeCall = snapshot.next.some((node) => /^model_request$|\.before_(agent|model)$/.test(node));
  const node = isBeforeCall || snapshot.createdAt === undefined ? `${middlewareName}.before_agent` : undefined;
  const stored = await agent.graph.updateState(config, update, node);
  // A `RemoteGraph` does not tell its channels, and accepts any update.
  if (channels === undefined && !(stateField in Object(snapshot.values))) {
    const { values } = await agent.graph.getState(Object(stored));
    if (!(stateField in Object(values))) throw new Error(lost);
  }
  return update;
}

/** Checks the options, because without `agent` or `config` a decision is not stored, or in no conversation. */
function assertConversation(toolkit: SkillToolkit, conversation: Partial<Conversation>): void {
  toolkit.assertOptions(conversation, [...optionNames, 'agent', 'config']);
}

async function readConversation(toolkit: SkillToolkit, { agent, config, ...options }: Conversation) {
  const snapshot = await agent.graph.getState(config);
  const { messages = [], ...values } = Object(snapshot.values);
  const context = { ...createContext(config, options), state: stateIn(toolkit, values) };
  return { snapshot, messages: viewMessages(messages, toolkit), context };
}
