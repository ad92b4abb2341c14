import { expect, it } from 'vitest';
import { separateWords } from '../../src/extending.ts';

it.each([
  ['read 東京都 now', 'read  東京 京都  now'],
  ['한국어', ' 한국 국어 '],
  ['𠮷野家', ' 𠮷野 野家 '],
  ['a 字', 'a  字 '],
  ['แจ้งหนี้', ' แจ้ จ้ง งห หนี้ '],
  ['サーバー', ' サー ーバ バー '],
  ['plain text', 'plain text'],
  ['parseJSONFile base64Encode', 'parseJSONFile parse JSON File base64Encode base64 Encode'],
  ['Crème Straße Łódź', 'Creme Strasse Lodz'],
  // The mark between the two words is punctuation.
  ['שָׁלוֹם בית־ספר', 'שלום בית־ספר'],
  ['A/B, Q&A, C/C++, and/or and x-y', 'ab, qna, C/C++, and/or and x-y'],
  ['T&Cs of I/Os, q&as, l/os and y/búsqueda', 'tnc of io, qna, l/os and y/busqueda'],
  ['APIs of B2B PDFs', 'APIs of B2B PDFs'],
])('separates the words in %j', (text, separated) => {
  expect(separateWords(text)).toBe(separated);
});
