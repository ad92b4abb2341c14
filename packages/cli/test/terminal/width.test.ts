import { expect, it } from 'vitest';
import { textWidth } from '../../src/terminal/width.ts';

it.each([
  ['サーバー・ユーザー', 18],
  ['ｱｲｳ', 3],
  ['【経費】、（案）', 16],
  ['한글'.normalize('NFD'), 4],
  ['がぎ'.normalize('NFD'), 4],
  ['Größe'.normalize('NFD'), 5],
  ['चालान-बनाना', 11],
  ['กำหนด', 5],
  ['👨‍👩‍👧 1️⃣ 🇯🇵', 8],
])('%s takes up %d columns', (text, columns) => {
  expect(textWidth(text)).toBe(columns);
});
