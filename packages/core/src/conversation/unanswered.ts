// Finds calls of tools that can no longer get a result.

import type { CallView, MessageView } from './conversation.ts';

/**
 * Finds the calls of each message, by its index, that have no result although the conversation went on, because nobody answered a
 * question or the run ended. Providers refuse such messages. Those that call none of `tools` are up to the application.
 */
export function findUnanswered(
  views: readonly MessageView[],
  tools: readonly string[],
): ReadonlyMap<number, readonly CallView[]> {
  const found = new Map<number, readonly CallView[]>();
  /** The calls whose result comes before the next words of the user. An answer may be stored as several messages. */
  const answered = new Set<string>();
  let wentOn = false;
  for (const [place, { role, calls = [], results = [], index = place }] of [...views.entries()].toReversed()) {
    for (const { id } of results) answered.add(id);
    if (role === 'tool') continue;
    const left = calls.filter(({ id }) => !answered.has(id));
    if (wentOn && left.some(({ name }) => tools.includes(name))) found.set(index, left);
    if (role !== 'assistant') answered.clear();
    for (const { id } of calls) answered.delete(id);
    wentOn = true;
  }
  return found;
}
