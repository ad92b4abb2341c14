// Splits a text into words as an index stores them: folded, stemmed, and without the most common ones.

import { unspaced } from '../text/unspaced.ts';
import { withoutAccents } from './accents.ts';
import { stem } from './stem.ts';

/** A word as written, and the term for all its forms in the index. */
export interface Word {
  readonly written: string;
  readonly term: string;
  /** How much of a word it is: the two parts of `TikTok` are half a word each. */
  readonly share: number;
  /** Whether it is two characters of a script without spaces, which may be of two words. @default false */
  readonly isPair?: boolean;
}

/** Characters of a query that are used. */
export const maxQuery = 4_000;

const commonWords: ReadonlySet<string> = new Set(
  'a also all an and any are aren as at be by can could did didn do does doesn don for from had has have help how i if in into is isn it its ll may me my need needs no not of on or our please re s should so such t than that the their them then there these they this those to use used user users uses using ve via want wants was we were what when where which while who will with would you your'.split(
    ' ',
  ),
);

/** Built at first use, because building takes a millisecond and most texts need none of them. */
let runs: RegExp | undefined;
let unspacedRuns: RegExp | undefined;
let unspacedStart: RegExp | undefined;
let joints: RegExp | undefined;

/** Returns the places between words in `camelCase`, `PDFReader` and `base64Encode`, but not in `PDFs` or `B2B`. */
function jointsOfWords(): RegExp {
  joints ??= /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?![\p{L}\p{N}]))/gu;
  return joints;
}

/** Letters with signs between them, as in `A/B` and `Q&As`. The last one is not the beginning of `C++` or `él`. */
const letters = '\\b([A-Za-z](?:[/&][A-Za-z])+)(?:(?<=[A-Z]|&.)s)?\\b(?![#+\\u00c0-\\u0dff\\u1e00-\\u1fff])';

/** Words that contain signs: abbreviations, `C#` and `C++`. */
const withSigns = `${letters}|\\b[A-Za-z](?:#|\\+\\+)`;

const abbreviations = new RegExp(letters, 'g');

/** Writes abbreviations without signs, as names do: `A/B` becomes `ab`, and `Q&As` becomes `qna`. */
function withoutSigns(text: string): string {
  return text.replace(abbreviations, (_, word: string) => word.replaceAll('/', '').replaceAll('&', 'n').toLowerCase());
}

/** Returns the parts of a text that are a word each, or several words of a script without spaces. */
function runsOf(text: string): readonly string[] | null {
  // A word begins with a letter or a digit, because the invisible mark of one symbol would otherwise find all others that have it.
  runs ??= new RegExp(`[${unspaced}]+|${withSigns}|[\\p{L}\\p{N}](?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])*`, 'gu');
  return text.normalize('NFKC').match(runs);
}

function isUnspaced(run: string): boolean {
  unspacedStart ??= new RegExp(`^[${unspaced}]`, 'u');
  return unspacedStart.test(run);
}

/** Words like `Word`, which have no parts. */
const capitalized = /^[A-Z][a-z]*$/;

/** Most texts are plain, which makes splitting much faster. */
const plain = /^[\0-\x7f]*$/;
const plainRuns = new RegExp(`${withSigns}|[A-Za-z0-9]+`, 'g');
const sign = /[/&]/;

/**
 * Returns the words of a text in order. `parseJSONFile` yields the whole and its parts, a script without spaces yields pairs of
 * characters.
 */
export function wordsOf(text: string, termOf: (lower: string) => string = stem): readonly Word[] {
  const words: Word[] = [];
  const isPlain = plain.test(text);
  function add(written: string, lower: string, share: number): void {
    if (!commonWords.has(lower)) words.push({ written, term: termOf(lower), share });
  }
  for (const written of (isPlain ? text.match(plainRuns) : runsOf(text)) ?? []) {
    const run = simplify(written, isPlain);
    if (!isPlain && isUnspaced(run)) {
      for (const pair of pairsOf(run)) words.push({ written: pair, term: pair, share: 1, isPair: true });
    } else {
      const lower = run.toLowerCase();
      const parts = partsOf(run, lower, termOf);
      for (const part of parts) add(part, part.toLowerCase(), 1 / parts.length);
      add(written, lower, 1);
    }
  }
  return words;
}

/** Returns a word as names are written: abbreviations without signs, others without accents. */
function simplify(run: string, isPlain: boolean): string {
  if (sign.test(run)) return withoutSigns(run);
  return isPlain || plain.test(run) ? run : withoutAccents(run);
}

/** Returns the parts of `camelCase` that have other terms than the whole. `Saa`, a part of `SaaS`, has the same. */
function partsOf(run: string, lower: string, termOf: (lower: string) => string): readonly string[] {
  if (lower === run || capitalized.test(run)) return [];
  const isOther = (part: string): boolean => !commonWords.has(part) && termOf(part) !== termOf(lower);
  return run.split(jointsOfWords()).filter((part) => isOther(part.toLowerCase()));
}

/** Returns the pairs of letters that follow each other, each with its vowels and accents. */
function pairsOf(run: string): readonly string[] {
  const characters = run.match(/\P{M}\p{M}*/gu) ?? [];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Returns the common words of a text, as written there, which indexes leave out. Single letters, as in `user's`, are no words. */
export function commonWordsOf(text: string): readonly string[] {
  const words = text.match(plainRuns) ?? [];
  return words.filter((word) => word.length > 1 && commonWords.has(word.toLowerCase()));
}

/**
 * Puts spaces around words, and removes accents: `camelCase` comes whole and in parts, and Chinese, Japanese, Korean, Thai, Lao,
 * Khmer and Burmese as pairs of characters. Signs stay with their letters.
 */
export function separateWords(text: string): string {
  unspacedRuns ??= new RegExp(`[${unspaced}]+`, 'gu');
  return withoutAccents(withoutSigns(text))
    .replaceAll(unspacedRuns, (run) => ` ${pairsOf(run).join(' ')} `)
    .replaceAll(/[\p{L}\p{N}]+/gu, (word) => {
      const parts = word.replaceAll(jointsOfWords(), ' ');
      return parts === word ? word : `${word} ${parts}`;
    });
}

/** Returns the form in which a query is compared with names: without spaces around it, all letters small. */
export function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
