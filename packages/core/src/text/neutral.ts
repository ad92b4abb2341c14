// Makes a skill's text harmless before it enters a prompt as data: one line, no invisible characters, no markup.

import { markupOrToken, squareToken } from './control-tokens.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  ['[', '&#91;'],
  [']', '&#93;'],
]);

/** Escapes the five XML characters and control tokens in brackets, so that a text fits into an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(markupOrToken, (character) => escapes.get(character) ?? character);
}

const unescapes: ReadonlyMap<string, string> = new Map([...escapes].map(([character, entity]) => [entity, character]));

/** Reverses `escapeXml`. */
export function unescapeXml(text: string): string {
  return text.replace(/&[#0-9a-z]{2,4};/g, (entity) => unescapes.get(entity) ?? entity);
}

/** Writes a value as JSON in which nothing can be a tag or a control token of a chat format. */
export function escapeJson(value: string | object): string {
  const escapePoint = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/</g, escapePoint).replace(squareToken, escapePoint);
}

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/gu;

/**
 * Removes characters that renderers leave out, format characters, private-use characters, and three signs without a glyph. Keeps
 * joiners, the two selectors of emoji, and the signs that Arabic, Syriac and Kaithi put around numbers.
 */
function withoutInvisible(text: string): string {
  return text.replace(
    /(?![\u200c\u200d\ufe0e\ufe0f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800\u{16fe4}\u{1d159}]/gu,
    '',
  );
}

/** The flags of England, Scotland and Wales, the only ones made of tag characters. */
const flagSequence =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})/u;

/** Scripts that need joiners. Between other letters joiners are invisible, so a row of them could hide a message. */
const joiningScripts = ['Arab', 'Syrc', 'Mong', 'Nkoo', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya']
  .concat(['Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Mymr', 'Khmr', 'Tibt', 'Thai'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');

let idleJoiners: RegExp | undefined;

/** Removes joiners that join nothing. The expression takes a millisecond to build, and few texts need it. */
function withoutIdleJoiners(text: string): string {
  if (!/[\u200c\u200d]/.test(text)) return text;
  idleJoiners ??= new RegExp(
    [
      `(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f${joiningScripts}])[\\u200c\\u200d]`,
      `(?<![${joiningScripts}])[\\u200c\\u200d](?![\\p{Extended_Pictographic}${joiningScripts}])`,
      // A letter may keep its joined form before a full stop, as in Persian dates.
      `[\\u200c\\u200d](?![\\p{Extended_Pictographic}${joiningScripts}\\p{P}])`,
    ].join('|'),
    'gu',
  );
  return text.replace(idleJoiners, '');
}

/**
 * The ranges in which all characters are visible: ASCII, Latin, Greek and Cyrillic letters, punctuation, currencies, arrows, signs,
 * kana, CJK ideographs and Hangul. Most texts have no others.
 */
const visibleRanges =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20c0\\u2190-\\u27ff' +
  '\\u3001-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e';
const needsStripping = new RegExp(`[^\\t\\n${visibleRanges}]`);
/** Also finds repeated spaces, and spaces at either end. */
const needsWork = new RegExp(`[^${visibleRanges}]| {2}|^ | $`);

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
  const idleSelectors = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]|[0-9#*](?=\ufe0f\u20e3))[\ufe0e\ufe0f]/gu;
  return withoutIdleJoiners(kept.join('').replace(idleSelectors, ''));
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

/** Puts a text on one line, without control characters, invisible characters, unpaired surrogates or repeated white space. */
export function oneLine(text: string): string {
  if (!needsWork.test(text)) return text;
  const visible = stripInvisible(text.replace(controls, ' '));
  return visible
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Puts a text on one line of at most `limit` characters, and ends it with `…` if it was longer. */
export function shortLine(text: string, limit: number): string {
  // Only the part that could remain is processed, because the text may have megabytes.
  const line = oneLine(text.slice(0, limit * 8));
  if (line.length <= limit && text.length <= limit * 8) return line;
  return `${oneLine(line.slice(0, limit - 1)).replace(/\ufffd$/, '')}…`;
}

/** Makes a text safe for an element or an attribute of a prompt: one line, nothing invisible, no markup. */
export function escapeField(text: string): string {
  return escapeXml(oneLine(text));
}

/**
 * Checks whether a name or a place cannot be mistaken for more than one word in a sentence, or for markup: it has no spaces, and
 * only letters and digits at its ends.
 */
export function isWord(text: string): boolean {
  // Nearly all names match this, and the other expression takes a millisecond to build.
  if (/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)) return true;
  return /^[\p{L}\p{N}/.](?:[\p{L}\p{M}\p{N}./\\:@%~+_-]*[\p{L}\p{M}\p{N}])?$/u.test(text);
}

/**
 * Writes an escaped name for a sentence, in quotes if it could be mistaken for more than a name. An escaped name contains no
 * quotes.
 */
export function writeName(name: string): string {
  return isWord(name) ? name : `"${name}"`;
}

/** Lists the first `most` texts, and counts the others of the `total`. */
export function listSome(
  texts: readonly string[],
  most: number,
  write: (text: string) => string,
  total: number = texts.length,
): string {
  const shown = texts.slice(0, most).map((text) => write(text));
  const rest = total - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
}
