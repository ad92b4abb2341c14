// Decides which messages of a conversation count in one model call: those that the model reads, and those that it has answered.

import type { MessageView } from './conversation.ts';
import { findLastAnswer } from './track.ts';

/**
 * Combines the whole conversation with the messages that the model is about to read. The text of a message that is left out of the
 * call counts only if the model has answered it, and not at all if the model reads a replacement, such as a summary.
 */
export function combineConversation(
  known: readonly MessageView[],
  shown: readonly MessageView[],
): readonly MessageView[] {
  const places = new Map(known.map(({ key }, index) => [key, index]));
  const now = new Map(shown.map((view) => [view.key, view]));
  const answer = findLastAnswer(known);
  const hasReplacement = shown.some(({ key, text }) => text !== undefined && !places.has(key));
  if (!hasReplacement)
    return known.map((view, index) => ({
      ...view,
      text: (now.get(view.key) ?? (index < answer ? view : undefined))?.text,
    }));
  let next = 0;
  /** Takes the known messages before an index. */
  const take = (end: number): readonly MessageView[] => {
    const taken = known.slice(next, end).map((view) => ({ ...view, text: now.get(view.key)?.text }));
    next = Math.max(next, end);
    return taken;
  };
  const both = shown.flatMap((view) => {
    const place = places.get(view.key);
    return place === undefined ? [view] : take(place + 1);
  });
  return [...both, ...take(known.length)];
}
