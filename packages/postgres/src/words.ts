// Prepares text for the database, which takes `upload/download`, `node.js` and words of scripts without spaces for one word.

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** The places between words in `camelCase`, `PDFReader` and `base64Encode`, but not in `PDFs` or `B2B`. */
const joints = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?![\p{L}\p{N}]))/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Replaces what PostgreSQL cannot store in a text: NUL and half characters. */
export function toStorable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** Rewrites a text so that a space separates any two words. Removes accents, because people leave them out of queries. */
export function separateWords(text: string): string {
  return toStorable(text)
    .normalize('NFKC')
    .replaceAll(unspaced, (run) => ` ${[...segmenter.segment(run)].map(({ segment }) => segment).join(' ')} `)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll(joints, ' ')
    .replaceAll(/[^\p{L}\p{N}'-]+/gu, ' ');
}
