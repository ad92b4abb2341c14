import { describe, expect, it } from 'vitest';
import { stripInvisible } from '../../src/text/invisible.ts';

describe('stripInvisible', () => {
  it.each([
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['bidi controls', '\u202eabc\u202c\u2066d\u2069\u061c', 'abcd'],
    ['tag characters', 'a\u{e0001}\u{e0068}\u{e0069}', 'a'],
    ['joiners between letters that do not join', 'h\u200di\u200cd\u200de', 'hide'],
    ['joiners between an emoji and a full stop', '👩\u200d.', '👩.'],
    ['a row of joiners before a full stop', 'ه\u200d\u200c\u200d.', 'ه.'],
    ['joiners before other letters', 'क\u200da', 'कa'],
    ['joiners at the edges', '\u200dक\u200d', 'क'],
    ['selectors that spell bytes', 'a\ufe00\ufe0d\ufe0e\ufe0f\u{e0100}\u{e01ef}', 'a'],
    ['a row of selectors behind an emoji', '❤\ufe0f\ufe0e\ufe0f', '❤\ufe0f'],
    ['selectors behind characters of presentation forms', '\ufb01\ufe06\ufb01\ufe0f\ufe0f', '\ufb01\ufb01'],
    ['joiners behind half a character', '\ud83d\u200d\u{1f469}', '\ud83d\u{1f469}'],
    ['a selector of a digit that is no keycap', '1\ufe0f 1\ufe0e\u20e3', '1 1\u20e3'],
    ['fillers', 'a\u115f\u1160\u3164\uffa0\u2800\u034fb', 'ab'],
    ['controls of shorthand, music and annotation', 'a\u{1bca0}\u{1d173}\ufff9b\ufffb', 'ab'],
  ])('removes %s', (_, text, expected) => {
    expect(stripInvisible(text)).toBe(expected);
  });

  it.each([
    '👨‍👩‍👧',
    '❤️',
    '1️⃣',
    '👍🏽',
    '👩🏽‍🚀',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'क्\u200dष',
    // In Persian dates, a letter keeps its joined form before a full stop.
    '۱۴۰۳ ه\u200d.ش.',
    'à',
  ])('keeps %s', (text) => {
    expect(stripInvisible(text)).toBe(text);
  });
});
