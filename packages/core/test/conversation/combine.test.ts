import { describe, expect, it } from 'vitest';
import { combineConversation } from '../../src/conversation/combine.ts';
import type { MessageView } from '../../src/conversation/conversation.ts';

const user = (key: string, text = key): MessageView => ({ key, role: 'user', text });
const answer: MessageView = { key: 'answer', role: 'assistant' };
const result: MessageView = { key: 'result', role: 'tool' };
const known = [user('one'), user('two'), answer, user('three'), user('four')];

/** The keys of the messages, each with its text if that counts. */
const combine = (shown: readonly MessageView[], whole = known): readonly string[] =>
  combineConversation(whole, shown).map(({ key, text }) => (text === undefined ? key : `${key}: ${text}`));

describe('combineConversation', () => {
  it('counts texts that the model has answered although they are left out, and later ones only if they are shown', () => {
    expect(combine([answer, user('three')])).toEqual(['one: one', 'two: two', 'answer', 'three: three', 'four']);
  });

  it('counts a text as it is shown', () => {
    const all = ['one: redacted', 'two: two', 'answer', 'three', 'four: four'];
    expect(combine([user('one', 'redacted'), user('four')])).toEqual(all);
  });

  it('counts no text that is left out if a replacement is shown, and puts that in its place', () => {
    const all = ['one', 'two: two', 'summary: Before', 'answer', 'three', 'four: four'];
    expect(combine([user('two'), user('summary', 'Before'), answer, user('four')])).toEqual(all);
  });

  it('takes a message without a text for no replacement', () => {
    expect(combine([result, user('four')])).toEqual(['one: one', 'two: two', 'answer', 'three', 'four: four']);
  });

  it('returns each message once, also if a replacement is shown and others change their order', () => {
    const shown = [user('four'), user('summary', 'Before'), user('one'), user('two')];
    expect(combine(shown)).toEqual(['one: one', 'two: two', 'answer', 'three', 'four: four', 'summary: Before']);
  });
});
