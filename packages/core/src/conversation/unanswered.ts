// Finds calls of tools that can no longer get a result.

import type { CallView, MessageView } from './conversation.ts';

/**
 * Finds calls without a result, by the index of the message that made them, after which the conversation went on, because nobody
 * answered a question, or the run ended. Providers refuse such messages. Only messages that call one of `tools` count. Others are
 * up to the application.
 */
export function findUnanswered(
  views: readonly MessageView[],
  tools: readonly string[],
): ReadonlyMap<number, readonly CallView[]> {
  const found = new Map<number, readonly CallView[]>();
  let open = new Map<string, CallView>();
  let last = 0;
  for (const [place, { role, calls = [], results = [], index = place }] of views.entries()) {
    if (role === 'tool') {
      for (const { id } of results) open.delete(id);
      continue;
    }
    const left = [...open.values()];
    if (left.some(({ name }) => tools.includes(name))) found.set(last, left);
    open = new Map(calls.map((call) => [call.id, call]));
    last = index;
  }
  return found;
}
