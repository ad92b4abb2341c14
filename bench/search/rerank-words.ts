// Orders candidates by how close each of their words is to a word of the query, and each word of the query to one of theirs.

import type { Rerank } from '../../packages/core/src/index.ts';
import { wordsOf } from '../../packages/core/src/search/words.ts';
import { readWord, type WordVector } from './word-vectors.ts';

type Words = ReadonlySet<WordVector>;
type Weigh = (word: WordVector) => number;

/**
 * Scores candidates by their words, and by their place, because the best ones come first. `all` are the texts of all skills, by
 * which a word is rare.
 */
export function rerankByWords(all: readonly string[]): Rerank {
  const counts = new Map<WordVector, number>();
  for (const word of all.flatMap((text) => [...readWords(text)])) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weigh: Weigh = (word) => Math.log(1 + all.length / (1 + (counts.get(word) ?? 0)));
  return async (query, texts) => {
    const asked = readWords(query);
    return texts.map((text, place) => {
      const told = readWords(text);
      return 4 * cover(asked, told, weigh) + 4 * cover(told, asked, weigh, 2) - Math.log(place + 1);
    });
  };
}

/** Returns the words of a text without stop words, each once. */
function readWords(text: string): Words {
  return new Set(wordsOf(text, (word) => word).map(({ term }) => readWord(term)));
}

/** Returns how close words are to their closest words in a text, from 0 to 1. Rare words count more. */
function cover(words: Words, text: Words, weigh: Weigh, power = 1): number {
  let covered = 0;
  let all = 0;
  for (const word of words) {
    let closest = 0;
    for (const other of text) closest = Math.max(closest, word === other ? 1 : cosine(word, other));
    covered += weigh(word) * closest ** power;
    all += weigh(word);
  }
  return all === 0 ? 0 : covered / all;
}

function cosine(one: WordVector, other: WordVector): number {
  let product = 0;
  for (let at = 0; at < one.vector.length; at += 1) product += (one.vector[at] ?? 0) * (other.vector[at] ?? 0);
  return product / (one.length * other.length);
}
