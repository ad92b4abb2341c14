// Where LangGraph keeps what the ledger is read from: private state, which survives summaries, restarts and branches.

import type { BaseMessage } from '@langchain/core/messages';
import { ReducedValue, StateSchema } from '@langchain/langgraph';
import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { ToolMessage } from 'langchain';
import * as z from 'zod/v4';
import { readItems } from './conversation.ts';

/** Items by the id of their message or tool call, in the order of the conversation. */
type SkillRecord = Record<string, ConversationItem>;

const item = z.union([
  z.object({ kind: z.literal('user'), text: z.string() }),
  z.object({ kind: z.literal('result'), tool: z.string(), text: z.string() }),
]);

const recorded = z.record(z.string(), item);

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
export function readRecord(state: object): readonly ConversationItem[] | undefined {
  if (!(recordField in state)) return undefined;
  const found = recorded.safeParse(state[recordField]);
  return found.success ? Object.values(found.data) : undefined;
}

/** Gives what is to be recorded of some messages. No key looks like a number: those would come first in a record. */
export function recordMessages(messages: readonly BaseMessage[], toolkit: SkillToolkit): SkillRecord {
  const entries = messages.flatMap((message) =>
    readItems([message], toolkit).flatMap((item): [string, ConversationItem][] => {
      const kept = toolkit.recordItem(item);
      const id = ToolMessage.isInstance(message) ? message.tool_call_id : message.id;
      return kept === undefined || id === undefined ? [] : [[`${kept.kind} ${id}`, kept]];
    }),
  );
  return Object.fromEntries(entries);
}
