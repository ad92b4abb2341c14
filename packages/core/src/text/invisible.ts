// Finds and removes characters that a person does not see, because they could hide a message to a model.

/**
 * Removes characters that renderers leave out, format characters, private-use characters, and three signs without a glyph. Keeps
 * joiners, the two selectors of emoji, and the signs that Arabic, Syriac and Kaithi put around numbers.
 */
function withoutInvisible(text: string): string {
  const invisible =
    /(?![\u200c\u200d\ufe0e\ufe0f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800\u{16fe4}\u{1d159}]/gu;
  if (!misleading.test(text) && text.isWellFormed()) return text.replace(invisible, '');
  return Array.from(text, (character) => character.replace(invisible, '')).join('');
}

/** Characters behind which Bun before 1.4 overlooks others in an expression with the flag `u`, as it does behind half a character. */
const misleading = /[\uf800-\ufbff]/;

/** The flags of England, Scotland and Wales, the only ones made of tag characters. */
const flagSequence =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})/u;

/** Scripts that need joiners. Between other letters joiners are invisible, so a row of them could hide a message. */
const joiningScripts = ['Arab', 'Syrc', 'Mong', 'Nkoo', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya']
  .concat(['Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Mymr', 'Khmr', 'Tibt', 'Thai'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** A joiner with the characters around it. Not with the flag `u`, with which Bun before 1.4 overlooks some. */
const joiner =
  /([\ud800-\udbff][\udc00-\udfff]|[^\u200c\u200d])?[\u200c\u200d](?=([\ud800-\udbff][\udc00-\udfff]|.)?)/gs;

/** Created only for texts with joiners, because that takes a millisecond. */
let letter: RegExp | undefined;

/** Removes joiners that join nothing. */
function withoutIdleJoiners(text: string): string {
  return text.replace(joiner, (found, before = '', after = '') => {
    letter ??= new RegExp(`[${joiningScripts}]`, 'u');
    const isAfterLetter = letter.test(before);
    const joins =
      letter.test(after) || /\p{Extended_Pictographic}/u.test(after)
        ? isAfterLetter || /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u.test(before)
        : // A letter may keep its joined form before a full stop, as in Persian dates.
          isAfterLetter && /\p{P}/u.test(after);
    return joins ? found : before;
  });
}

/** A selector with the character before it, and whether it is part of a keycap. */
const selector = /([\ud800-\udbff][\udc00-\udfff]|[^\ufe0e\ufe0f])?[\ufe0e\ufe0f](?=(\u20e3)?)/g;

/** Removes selectors that choose the form of nothing. */
function withoutIdleSelectors(text: string): string {
  return text.replace(selector, (found, before = '', keycap) => {
    const isKey = keycap !== undefined && /^[0-9#*]\ufe0f/.test(found);
    return isKey || /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(before) ? found : before;
  });
}

/**
 * The ranges in which all characters are visible: ASCII, Latin, Greek and Cyrillic letters, punctuation, currencies, arrows, signs,
 * kana, CJK ideographs and Hangul. Most texts have no others.
 */
export const visibleRanges: string =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20c0\\u2190-\\u27ff' +
  '\\u3001-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e';
const needsStripping = new RegExp(`[^\\t\\n${visibleRanges}]`);

/** Checks cheaply whether a text may contain invisible characters; nearly all texts of skills contain none. */
export function mayHide(text: string): boolean {
  return needsStripping.test(text);
}

/**
 * Removes invisible characters: zero-width and bidi characters, tag characters, variation selectors.
 *
 * Emoji sequences, flags and the joiners that Indic and Arabic scripts need are kept.
 */
export function stripInvisible(text: string): string {
  if (!mayHide(text)) return text;
  // Every second part is a flag.
  const kept = text.split(flagSequence).map((part, index) => (index % 2 === 0 ? withoutInvisible(part) : part));
  return withoutIdleJoiners(withoutIdleSelectors(kept.join('')));
}

/** Finds the first character that `stripInvisible` removes. */
export function findInvisible(text: string): { readonly index: number; readonly character: string } | undefined {
  const visible = stripInvisible(text);
  if (visible === text) return undefined;
  let index = 0;
  for (const character of text) {
    if (!visible.startsWith(character, index)) return { index, character };
    index += character.length;
  }
  return undefined;
}

/** The control characters of ASCII, and two that Unicode reserves: no skill needs them. */
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

/** Finds the first control character other than a tab or a line end. */
export function findControlCharacter(text: string): { readonly index: number; readonly character: string } | undefined {
  const match = controlCharacter.exec(text);
  return match === null ? undefined : { index: match.index, character: match[0] };
}
