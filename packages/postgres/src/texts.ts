// Prepares texts for the database, which stores and searches them.

import { separateWords } from '@skillful/core/extending';

/** Replaces what PostgreSQL cannot store in a text: NUL and half characters. */
export function toStorable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** The `s` of `CPUs`, which the dictionary takes for a part of the word. */
const plural = /(?<=\p{Lu}{2})s(?![\p{L}\p{N}])/gu;

/** The `s` of `pdfs` and other words without a vowel, as in the core. */
const pluralWithoutVowel = /(?<![\p{L}\p{N}])([b-df-hj-np-tv-xz]{2,})(?<!s)s(?![\p{L}\p{N}])/giu;

/** `C#`, `F#` and `C++`, whose signs the dictionary drops. */
const languages = /\b([A-Za-z])(?:(#)|\+\+)/g;

/**
 * Rewrites a text so that a space separates any two words, as in the core, because the dictionary takes `upload/download`,
 * `node.js` and words of scripts without spaces for one word. Removes the second form of the Greek sigma, because capitals do not
 * have it.
 */
export function toSearchable(text: string): string {
  return separateWords(toStorable(text))
    .replaceAll('ς', 'σ')
    .replaceAll(languages, (_, letter, sharp) => `${letter}${sharp === undefined ? 'plusplus' : 'sharp'} `)
    .replaceAll(plural, '')
    .replaceAll(pluralWithoutVowel, '$1')
    .replaceAll(/[^\p{L}\p{M}\p{N}'-]+/gu, ' ');
}
