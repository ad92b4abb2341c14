import { expect, it } from 'vitest';
import { separatePairs } from '../../src/extending.ts';

it.each([
  ['read 東京都 now', 'read  東京 京都  now'],
  ['한국어', ' 한국 국어 '],
  ['𠮷野家', ' 𠮷野 野家 '],
  ['a 字', 'a  字 '],
  ['サーバー', ' サー ーバ バー '],
  ['plain text', 'plain text'],
])('separates the pairs in %j', (text, separated) => {
  expect(separatePairs(text)).toBe(separated);
});
