// Views the messages of a framework, and computes keys for them.

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
  const hashes = views.map(({ said }) => hash(said));
  const numbers = new Map<string, number>();
  const count = (hash: string, by: number): number => {
    const number = numbers.get(hash) ?? 0;
    numbers.set(hash, number + by);
    return number;
  };
  // A number starts with how many views that say the same come before `messages`: those of the whole, minus their own.
  for (const one of whole?.map(({ key }) => key.split('.')[0] ?? '') ?? hashes) count(one, 1);
  for (const one of hashes) count(one, -1);
  // A message that the whole conversation does not contain gets the key that it will have there.
  for (const [one, number] of numbers) numbers.set(one, Math.max(0, number));
  return views.map(({ said, ...view }, place) => {
    const own = hashes[place] ?? '';
    return { ...view, key: `${own}.${count(own, 1)}` };
  });
}

/** Computes FNV-1a. The key is stored, so it must not contain the words. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(36);
}
