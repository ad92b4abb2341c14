// Keeps the state of skills in a private field of LangGraph, which survives summaries, restarts and branches.

import { ReducedValue, StateSchema } from '@langchain/langgraph';
import type { SkillState, SkillToolkit } from '@skillful/core';
import * as z from 'zod/v4';

/** The name of the field. The underscore makes it private: no caller can set it, and `invoke` does not return it. */
export const stateField: '_skillful' = '_skillful';

/** An update of the state of an agent that has `skillsMiddleware`. */
export type SkillsUpdate = { readonly [stateField]: SkillState };

type StateFields = { [stateField]: ReducedValue<SkillState, SkillState | undefined> };

/** Creates the state that the middleware adds to the state of an agent. The core merges what parallel tools write. */
export function createStateSchema({ merge }: SkillToolkit): StateSchema<StateFields> {
  const stored = z.record(z.string(), z.unknown()).default({ skills: {} }) as z.ZodType<unknown> as z.ZodType<
    SkillState,
    SkillState
  >;
  return new StateSchema({
    [stateField]: new ReducedValue(stored, { inputSchema: stored.optional(), reducer: merge }),
  });
}

/** Returns the stored state of a conversation. */
export function stateIn({ merge }: SkillToolkit, values: unknown): SkillState {
  return merge(Object(values)[stateField]);
}
