import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeXml, oneLine, shortLine } from '../../src/text/neutral.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });

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
