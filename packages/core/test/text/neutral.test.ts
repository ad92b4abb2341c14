import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeXml, oneLine, shortLine, stripInvisible } from '../../src/text/neutral.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });

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

describe('oneLine', () => {
  it('is one line without control characters, however often it is applied', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u);
        expect(line).toBe(line.trim());
        expect(oneLine(line)).toBe(line);
      }),
    );
  });

  it('leaves no character alone at a glance that a close look would change', () => {
    const changed = Array.from({ length: 0x1_0000 }, (_, code) => `a${String.fromCharCode(code)}b`).filter(
      (text) => oneLine(text) !== oneLine(`${text}\u200b`),
    );
    expect(changed).toEqual([]);
  });

  it('replaces half characters, which some providers refuse with the whole request', () => {
    expect(oneLine('a\ud83d b\ude00 😀')).toBe('a\ufffd b\ufffd 😀');
  });
});

describe('shortLine', () => {
  it('leaves a short line as it is, and says by its end that a longer one was cut', () => {
    expect([shortLine('abc', 3), shortLine('abcd', 3), shortLine(' a\nb ', 3)]).toEqual(['abc', 'ab…', 'a b']);
  });

  it('never cuts a character in two, and never gives more than it may', () => {
    expect(shortLine('a😀b', 3)).toBe('a…');
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        const line = shortLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe('escapeXml', () => {
  it('can be read back, and leaves no markup', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = escapeXml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        const known = new Map([
          ['amp', '&'],
          ['lt', '<'],
          ['gt', '>'],
          ['quot', '"'],
          ['#39', "'"],
        ]);
        expect(escaped.replace(/&([^;]+);/g, (_, name: string) => known.get(name) ?? 'unknown')).toBe(text);
      }),
    );
  });
});
