// Where LangGraph keeps what the ledger is read from: private state, which survives summaries, restarts and branches.

import type { BaseMessage } from '@langchain/core/messages';
import { ReducedValue, StateSchema } from '@langchain/langgraph';
import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { AIMessage, ToolMessage } from 'langchain';
import * as z from 'zod/v4';
import { readItems } from './conversation.ts';

/** Items by what tells them from all others, in the order of the conversation. */
export type SkillRecord = Record<string, ConversationItem>;

const item = z.union([
  z.object({ kind: z.enum(['user', 'code']), text: z.string() }),
  z.object({ kind: z.literal('result'), tool: z.string(), text: z.string() }),
]);

const recorded = z.record(z.string(), item);

/** The name of the middleware, by which the graph names its nodes. */
export const middlewareName: 'AgentSkills' = 'AgentSkills';

/** The name of the field; its underscore makes it private: no caller can set it, no result shows it. */
export const recordField: '_skillful' = '_skillful';

/** The state that the middleware adds to an agent's. What was recorded first stays: later a result may have been cleared. */
export const recordState: StateSchema<{ _skillful: ReducedValue<SkillRecord, SkillRecord | undefined> }> =
  new StateSchema({
    [recordField]: new ReducedValue(
      recorded.default(() => ({})),
      { inputSchema: recorded.optional(), reducer: (current, added) => ({ ...current, ...added, ...current }) },
    ),
  });

/** Gives what has been recorded of a conversation; undefined where the middleware is not there. */
export function readRecord(state: unknown): readonly ConversationItem[] | undefined {
  if (typeof state !== 'object' || state === null || !(recordField in state)) return undefined;
  const found = recorded.safeParse(state[recordField]);
  return found.success ? Object.values(found.data) : undefined;
}

/** Gives what is to be recorded of the messages of a conversation, from one of them on. */
export function recordMessages(messages: readonly BaseMessage[], toolkit: SkillToolkit, from = 0): SkillRecord {
  const callers: Callers = new Map();
  const record: SkillRecord = {};
  for (const [index, message] of messages.entries()) {
    const items = index < from ? [] : readItems([message], toolkit);
    for (const item of items) {
      const kept = toolkit.recordItem(item);
      if (kept !== undefined) record[keyOf(kept, message, callers)] = kept;
    }
    if (!AIMessage.isInstance(message)) continue;
    for (const { id } of message.tool_calls ?? []) callers.set(id, message.id);
  }
  return record;
}

/** Ids of the latest messages that made calls, by the ids of the calls. */
type Callers = Map<string | undefined, string | undefined>;

/** Gives what is to be recorded of decisions that the application took. */
export function recordDecisions(items: readonly ConversationItem[]): SkillRecord {
  return Object.fromEntries(items.map((item) => [`${item.kind} ${crypto.randomUUID()}`, item]));
}

/**
 * Tells an item from all others. Ids of calls do not: local servers give the same one again and again, so that a result
 * goes by the nearest message before it that made its call. No key looks like a number: those would come first in a record.
 */
function keyOf({ kind, text }: ConversationItem, message: BaseMessage, callers: Callers): string {
  if (!ToolMessage.isInstance(message)) return `${kind} ${message.id}`;
  const { tool_call_id: id } = message;
  return `${kind} ${callers.get(id)} ${id} ${text}`;
}
