// Measures how much of a model call a provider's prompt cache cannot use in the next call.

import type { ObservedCall } from './adapter-harness.ts';

/**
 * Counts the parts of a call (its tools, its system prompt, each message) that are not in the common prefix with the next call.
 */
export function lostMessages(before: ObservedCall | undefined, after: ObservedCall | undefined): number {
  const [old, now] = [before, after].map((one) => [
    JSON.stringify(one?.tools),
    one?.system ?? '',
    ...(one?.messages ?? []).map(({ role, text }) => `${role}: ${text}`),
  ]);
  if (old === undefined || now === undefined) return 0;
  const first = old.findIndex((line, index) => line !== now[index]);
  return first === -1 ? 0 : old.length - first;
}
