import type { UnkeyedMessage } from '@skillful/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyMessages } from '../../src/conversation/message-keys.ts';

const messagesOf = (...said: string[]): UnkeyedMessage[] => said.map((one) => ({ said: one, role: 'user', text: one }));
const keysOf = (messages: readonly { key: string }[]): readonly string[] => messages.map(({ key }) => key);

describe('keyMessages', () => {
  it('adds keys that are the same in every process and say no words', () => {
    const keyed = keyMessages(messagesOf('ok', 'Hello.', 'ok'));
    expect(keyed).toEqual([
      { role: 'user', text: 'ok', key: 'scvxkf.0' },
      { role: 'user', text: 'Hello.', key: expect.stringMatching(/^[a-z0-9]+\.0$/) },
      { role: 'user', text: 'ok', key: 'scvxkf.1' },
    ]);
  });

  it('gives each end of a conversation the keys that it has in the whole one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.nat(), (said, from) => {
        const whole = keyMessages(messagesOf(...said));
        const end = said.slice(from % (said.length + 1));
        expect(keysOf(keyMessages(messagesOf(...end), whole))).toEqual(keysOf(whole).slice(said.length - end.length));
        expect(new Set(keysOf(whole)).size).toBe(said.length);
      }),
    );
  });

  it('gives a message that the whole conversation does not contain yet the key that it will have there', () => {
    const whole = keyMessages(messagesOf('Hello.'));
    const later = messagesOf('Hello.', 'ok');
    expect(keyMessages(later, whole)).toEqual(keyMessages(later));
  });
});
