import { expect, it } from 'vitest';
import { findOpenBracket } from '../../src/format/culprit.ts';

it.each([
  ['[a, {b: c]', 4],
  ['{a: [b}', 4],
  ['[a, [b], c', 0],
  ['{a: {b: c}', 0],
  ['[a, "]" # ]\n', 0],
  ['[a, b]', undefined],
  ['{a: b}', undefined],
  ['] [', undefined],
])('the bracket that is not closed in %j is at %s', (text, index) => {
  expect(findOpenBracket(text)).toBe(index);
});
