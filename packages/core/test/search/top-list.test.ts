import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTopList } from '../../src/search/top-list.ts';

const compare = (one: number, other: number): number => one - other;

it('has the best, in order, whatever comes first', () => {
  const scores = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.constantFrom(0, 1, 2, 5, 20, 59, 60, 1_000, Infinity, -1, Number.NaN), (list, limit) => {
      const top = createTopList(limit, compare);
      list.forEach((score, item) => {
        if (top.admits(score)) top.add(item, score);
      });
      const all = list.map((score, item) => ({ item, score })).sort((a, b) => b.score - a.score || a.item - b.item);
      expect(top.list()).toEqual(limit > 0 ? all.slice(0, limit) : []);
    }),
  );
});

it('compares each item only a few times, however long the list is', () => {
  let compared = 0;
  const top = createTopList(10_000, (one, other) => {
    compared += 1;
    return other - one;
  });
  for (let item = 0; item < 20_000; item += 1) top.add(item, 1);
  expect(top.list()[0]).toEqual({ item: 19_999, score: 1 });
  expect(compared).toBeLessThan(20_000 * 40);
});
