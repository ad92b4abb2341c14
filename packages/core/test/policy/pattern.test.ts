import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../src/policy/pattern.ts';

describe('a pattern', () => {
  it.each([
    ['pdf', 'pdf', true],
    ['pdf', 'pdf-tools', false],
    ['pdf*', 'pdf-tools', true],
    ['*pdf', 'my-pdf', true],
    ['*-*-*', 'a-b', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*a', 'a', false],
    ['p?f', 'pdf', true],
    ['?', '😀', true],
    ['??', '😀', false],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    // F12, F13: only `*` and `?` mean anything.
    ['*(*(*(a|b)))', 'aaaaaaaaaaaaaaaaaaaaz', false],
    ['{a,b}', 'a', false],
    ['[a-z]*', 'aaa', false],
    ['(.+)+$', 'axb', false],
    ['a.b', 'axb', false],
  ])('%j on %j: %j', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it('means what the same regular expression means', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*', '?'), maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (pattern, text) => {
        const parts = [...pattern].map((part) => (part === '*' ? '.*' : part === '?' ? '.' : part));
        expect(matchesPattern(pattern, text)).toBe(new RegExp(`^${parts.join('')}$`, 'su').test(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('F11: does not try a text again and again', () => {
    const text = 'a'.repeat(100_000);
    expect(matchesPattern(`${'*a'.repeat(400)}*b`, text)).toBe(false);
  });
});
