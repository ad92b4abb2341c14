// Prepares text for the database, which takes `upload/download`, `node.js` and words of scripts without spaces for one word.

import { separatePairs } from '@skillful/core/extending';

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
  const bare = toStorable(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC');
  return separatePairs(bare)
    .replaceAll(joints, ' ')
    .replaceAll(plural, '')
    .replaceAll(/[^\p{L}\p{N}'-]+/gu, ' ');
}
