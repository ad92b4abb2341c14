// What of a conversation counts: the words of users only as the model is about to read them.

import type { MessageView } from './conversation.ts';

/**
 * Returns a conversation with the words that the model is about to read. Words that were only left out still count. If others were
 * written in their place, such as to redact or to summarise, those that are not shown do not.
 */
export function readConversation(known: readonly MessageView[], shown: readonly MessageView[]): readonly MessageView[] {
  const before = new Map(known.map((view) => [view.key, view]));
  const now = new Map(shown.map((view) => [view.key, view]));
  const read = (view: MessageView): MessageView => ({ ...view, text: (now.get(view.key) ?? view).text });
  if (shown.every(({ key, text }) => text === undefined || before.has(key))) return known.map(read);
  const leftOut = known.filter(({ key }) => !now.has(key)).map((view) => ({ ...view, text: undefined }));
  return [...leftOut, ...shown.map((view) => read(before.get(view.key) ?? view))];
}
