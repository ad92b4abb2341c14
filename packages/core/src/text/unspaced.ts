// Says in which scripts words follow each other without spaces.

/**
 * Scripts without spaces between words, and Korean, whose words have many endings: the inside of a class in a regular expression
 * with the flag `u`. The mark of long vowels in Japanese belongs to no script.
 */
export const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Hangul}';
