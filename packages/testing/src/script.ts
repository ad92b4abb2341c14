// Writes what the mock model says, and counts what it has read.

import type { ObservedCall, ScriptedTurn } from './adapter-harness.ts';

/** The turn that ends a conversation. */
export const done: ScriptedTurn = { text: 'Done.' };

/** Creates a turn in which the model calls one tool. */
export function callOf(tool: string, input: unknown): Extract<ScriptedTurn, { readonly calls: unknown }> {
  return { calls: [{ tool, input }] };
}

/** Counts how often a phrase is in what the model read in a call. */
export function countIn(call: Pick<ObservedCall, 'system' | 'messages'> | undefined, phrase: string): number {
  return [call?.system, ...(call?.messages ?? []).map(({ text }) => text)].join('\n').split(phrase).length - 1;
}
