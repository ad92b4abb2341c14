// Removes accents from letters, because people leave them out or replace them.

/** Accents, the vowel signs of Hebrew and Arabic, which people seldom write, and what lengthens Arabic words. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu;

/** Letters that people replace if their keyboard lacks them, and that cannot be separated into a letter and an accent. */
const rareLetters = /[ßẞłŁđĐøØæÆœŒıþÞ]/gu;
const commonLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ł: 'l', đ: 'd', ø: 'o', æ: 'ae', œ: 'oe', ı: 'i', þ: 'th' },
  ...{ ẞ: 'SS', Ł: 'L', Đ: 'D', Ø: 'O', Æ: 'Ae', Œ: 'Oe', Þ: 'Th' },
};

/** Returns a text without accents, and with other letters for those that many keyboards lack. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(accents, '')
    .normalize('NFC')
    .replaceAll(rareLetters, (letter) => commonLetters[letter] ?? letter);
}
