// Prepares text for the database, which takes `upload/download`, `node.js` and words of scripts without spaces for one word.

/** Scripts without spaces between words, and Korean, whose words have endings that the dictionary does not know. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]+/gu;

/** The places between words in `camelCase`, `PDFReader` and `base64Encode`, but not in `PDFs` or `B2B`. */
const joints = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?![\p{L}\p{N}]))/gu;

/** The `s` of `PRs`, which the dictionary takes for a part of the word. */
const plural = /(?<=\p{Lu}{2})s(?![\p{L}\p{N}])/gu;

/** Replaces what PostgreSQL cannot store in a text: NUL and half characters. */
export function toStorable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
}

/**
 * Rewrites a text so that a space separates any two words, or pairs of characters in scripts without spaces, as in the core.
 * Removes accents, because people leave them out of queries.
 */
export function separateWords(text: string): string {
  return toStorable(text)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll(unspaced, (run) => ` ${pairsOf([...run]).join(' ')} `)
    .replaceAll(joints, ' ')
    .replaceAll(plural, '')
    .replaceAll(/[^\p{L}\p{N}'-]+/gu, ' ');
}

function pairsOf(characters: readonly string[]): readonly string[] {
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
