// Views the messages of a framework, and computes keys for them.

import type { MessageView } from './conversation.ts';
import type { MessageForm, UnkeyedMessage } from './message-form.ts';

/**
 * Gives messages keys: a hash of the content, and a number among messages with the same content. If the messages are the end of a
 * `whole` conversation, they get the same keys as there.
 */
export function keyMessages(
  messages: readonly UnkeyedMessage[],
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const hashes = messages.map(({ said }) => hash(said));
  const numbers = new Map<string, number>();
  const count = (hash: string, by: number): number => {
    const number = numbers.get(hash) ?? 0;
    numbers.set(hash, number + by);
    return number;
  };
  // A number starts with how many messages with the same content come before `messages`: those of the whole, minus their own.
  for (const one of whole?.map(({ key }) => key.split('.')[0] ?? '') ?? hashes) count(one, 1);
  for (const one of hashes) count(one, -1);
  // A message that the whole conversation does not contain gets the key that it will have there.
  for (const [one, number] of numbers) numbers.set(one, Math.max(0, number));
  return messages.map(({ said, ...view }, index) => {
    const own = hashes[index] ?? '';
    return { ...view, key: `${own}.${count(own, 1)}` };
  });
}

/** Returns messages as the core views them. If they are the end of a `whole` conversation, they get the same keys as there. */
export function viewMessages<Message, File>(
  messages: readonly Message[],
  form: Pick<MessageForm<Message, File>, 'view'>,
  whole?: readonly MessageView[],
): readonly MessageView[] {
  const views = messages.flatMap((message, index) => form.view(message).map((view) => ({ ...view, index })));
  return keyMessages(views, whole);
}

/** Computes FNV-1a. The key is stored, so it must not contain the words. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0).toString(36);
}
