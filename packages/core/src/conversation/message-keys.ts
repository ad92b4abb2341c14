// Views the messages of a framework, and computes keys for them.

import { groupBy } from '../runtime/group-by.ts';
import type { MessageView } from './conversation.ts';
import type { MessageForm } from './message-form.ts';

/**
 * Returns messages as the core views them. The key of a view is a hash of what is said, and a number among views that say the same.
 * If the messages are the end of a `whole` conversation, they get the same keys as there.
 */
export function viewMessages<Message, File>(
  messages: readonly Message[],
  form: Pick<MessageForm<Message, File>, 'view'>,
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const views = messages.flatMap((message, index) => form.view(message).map((view) => ({ ...view, index })));
  const hashes = views.map(({ said }) => hashOf(said));
  const own = groupBy(hashes, (hash) => hash);
  const all = groupBy(whole ?? [], ({ key }) => key.split('.', 1).join());
  /** How many earlier views have a hash: none for a message that `whole` lacks, which then has the same key in the next call. */
  const earlier = new Map(
    [...own].map(([hash, { length }]) => [hash, Math.max(0, (all.get(hash)?.length ?? 0) - length)]),
  );
  return views.map(({ said, ...view }, place) => {
    const hash = hashes[place] ?? '';
    const number = earlier.get(hash) ?? 0;
    earlier.set(hash, number + 1);
    return { ...view, key: `${hash}.${number}` };
  });
}

/** Computes FNV-1a. The key is stored, so it must not contain the words. */
function hashOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(36);
}
