// Words that mean the same have one stem, and words that mean nothing have none.

import { expect, test } from 'vitest';
import { pickBest, sharedStems, stem, stemsOf } from '../stand-in/words.ts';

test.each([
  ['pagination', 'paginated', 'paginates', 'paginate'],
  ['commit', 'commits', 'committed', 'committing'],
  ['query', 'queries'],
  ['release', 'releases', 'released', 'releasing'],
])('%s and its forms have one stem', (...words) => {
  expect(new Set(words.map(stem)).size).toBe(1);
});

test('words that say nothing about a task are left out', () => {
  expect(stemsOf('Please help me with the CSV, would you?')).toEqual(new Set(['csv']));
});

test('shared words are counted once, in whatever form and case they have', () => {
  expect(sharedStems('A report on reported errors', 'Errors. ERROR! Reports')).toEqual(['report', 'error']);
});

test('the best candidate is the first of equals, and none where nothing scores', () => {
  expect(pickBest(['a', 'bb', 'cc'], ({ length }) => length)).toBe('bb');
  expect(pickBest(['a', 'bb', 'cc'], () => 0)).toBeUndefined();
});
