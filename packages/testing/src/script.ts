// Writes what the mock model says, and counts what it has read.

import type { ObservedCall, ScriptedTurn } from './adapter-harness.ts';

/** The turn that ends a conversation. */
export const done: ScriptedTurn = { text: 'Done.' };

/** Creates a turn in which the model calls one tool. */
export function callOf(tool: string, input: unknown): Extract<ScriptedTurn, { readonly calls: unknown }> {
  return { calls: [{ tool, input }] };
}

type ReadText = Pick<ObservedCall, 'system' | 'messages'>;

/** Returns all that the model read in a call. */
export function textOf({ system, messages }: ReadText): string {
  return [system, ...messages.map(({ text }) => text)].join('\n');
}

/** Counts how often the model read a phrase in a call. */
export function countIn(call: ReadText | undefined, phrase: string): number {
  return call === undefined ? 0 : textOf(call).split(phrase).length - 1;
}
