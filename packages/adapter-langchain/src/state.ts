// Where LangGraph keeps the state of skills: in a private field, which survives summaries, restarts and branches.

import { ReducedValue, StateSchema } from '@langchain/langgraph';
import type { SkillState, SkillToolkit } from '@skillful/core';
import * as z from 'zod/v4';

/** The name of the field; its underscore makes it private: no caller can set it, no result shows it. */
export const stateField: '_skillful' = '_skillful';

/** An update of the state of an agent that has `skillsMiddleware`. */
export type SkillsUpdate = { readonly [stateField]: SkillState };

const record = z.looseObject({ by: z.enum(['model', 'user', 'code']), at: z.number() });
const state = z.object({ seen: z.string().optional(), skills: z.record(z.string(), record) });

/** What another version wrote counts as nothing. */
const stored = state.catch({ skills: {} }) as z.ZodType<unknown> as z.ZodType<SkillState, SkillState>;

type StateFields = { [stateField]: ReducedValue<SkillState, SkillState | undefined> };

/** Creates the state that the middleware adds to an agent's; what parallel tools write is merged. */
export function createStateSchema({ merge }: SkillToolkit): StateSchema<StateFields> {
  const options = { inputSchema: stored.optional(), reducer: merge };
  return new StateSchema({ [stateField]: new ReducedValue(stored.default({ skills: {} }), options) });
}

/** Returns what has been kept of a conversation; undefined if the middleware is not there. */
export function readState(values: unknown): SkillState | undefined {
  return stored.optional().parse(Object(values)[stateField]);
}
