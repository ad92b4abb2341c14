// Computes keys for messages of frameworks that have no message ids.

import type { MessageView } from './conversation.ts';

/** A message without a key. */
export interface UnkeyedMessage extends Omit<MessageView, 'key'> {
  /** Everything that distinguishes it from other messages: its role, its words, and the ids of its calls. */
  readonly said: string;
}

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
  for (const one of whole?.map(({ key }) => key.split('.')[0] ?? '') ?? hashes) count(one, 1);
  for (const one of hashes) count(one, -1);
  // A message that the whole conversation does not contain gets the key that it will have there.
  for (const [one, number] of numbers) numbers.set(one, Math.max(0, number));
  return messages.map(({ said, ...view }, index) => {
    const own = hashes[index] ?? '';
    return { ...view, key: `${own}.${count(own, 1)}` };
  });
}

/** Computes FNV-1a. The key is stored, so it must not contain the words. */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0).toString(36);
}
