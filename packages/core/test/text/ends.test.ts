import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepEnds } from '../../src/text/ends.ts';

it('keeps the beginning and the end, at most as much as the limit, and no half of a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '😀', '漢', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat(60), (long, limit) => {
      const kept = keepEnds(long, limit);
      expect(kept.isWellFormed()).toBe(true);
      if (long.length <= limit) expect(kept).toBe(long);
      else {
        const [first = '', last = ''] = kept.split('\n[…]\n');
        expect([long.startsWith(first), long.endsWith(last)]).toEqual([true, true]);
        expect(first.length + last.length).toBeLessThanOrEqual(limit);
        expect(first.length + last.length).toBeGreaterThanOrEqual(limit - 3);
      }
    }),
  );
});
