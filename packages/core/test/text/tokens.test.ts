import { expect, it } from 'vitest';
import { estimateTokens } from '../../src/index.ts';

it.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['数据报', 2],
  ['abcd数据报', 3],
])('estimates the tokens of %j', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
