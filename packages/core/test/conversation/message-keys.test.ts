import type { UnkeyedMessage } from '@skillful/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageView } from '../../src/conversation/conversation.ts';
import { viewMessages } from '../../src/conversation/message-keys.ts';

const messagesOf = (...said: string[]): UnkeyedMessage[] => said.map((one) => ({ said: one, role: 'user', text: one }));
const keysOf = (messages: readonly { key: string }[]): readonly string[] => messages.map(({ key }) => key);

const form = { view: (message: UnkeyedMessage) => [message] };
const view = (messages: UnkeyedMessage[], whole?: readonly MessageView[]) => viewMessages(messages, form, whole);

describe('viewMessages', () => {
  it('adds keys that are the same in every process and say no words', () => {
    const keyed = view(messagesOf('ok', 'Hello.', 'ok'));
    expect(keyed).toEqual([
      { role: 'user', text: 'ok', index: 0, key: 'scvxkf.0' },
      { role: 'user', text: 'Hello.', index: 1, key: expect.stringMatching(/^[a-z0-9]+\.0$/) },
      { role: 'user', text: 'ok', index: 2, key: 'scvxkf.1' },
    ]);
  });

  it('gives each end of a conversation the keys that it has in the whole one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.nat(), (said, from) => {
        const whole = view(messagesOf(...said));
        const end = said.slice(from % (said.length + 1));
        expect(keysOf(view(messagesOf(...end), whole))).toEqual(keysOf(whole).slice(said.length - end.length));
        expect(new Set(keysOf(whole)).size).toBe(said.length);
      }),
    );
  });

  it('gives a message that the whole conversation does not contain yet the key that it will have there', () => {
    const whole = view(messagesOf('Hello.'));
    const later = messagesOf('Hello.', 'ok');
    expect(view(later, whole)).toEqual(view(later));
  });
});
