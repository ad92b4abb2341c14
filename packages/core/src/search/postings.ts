// Looks up which skills have a term, and how much each is about it. Computed when a query first needs the term.

import { type Documents, inBody, inDescription, inName } from './documents.ts';
import { placeIn } from './sorted.ts';

/** The skills that have a term. */
export interface Posting {
  /** Their numbers, in order. */
  readonly documents: Uint32Array;
  /** How much each skill is about the term: from 0 to `saturation` + 1. */
  readonly shares: Float32Array;
  /** The number of skills with the term in their name or description. */
  readonly holders: number;
}

/** So many words of the body count as much as one of the description. */
const bodyWords = 5;

/** Parameters of BM25F: the weights of a word in the name and in the body, and how slowly repetitions stop counting. */
const weights = { name: 2, body: 1 / bodyWords };
const saturation = 2.2;

/** Creates the look-up of terms. Costs one pass over the terms of all skills. */
export function createPostings(table: Documents): (term: string) => Posting | undefined {
  const { terms, fingerprints, starts, entries, counts } = table;
  // Counted as words of the body, because a sum of whole numbers does not depend on the order of the skills.
  const words = new Float64Array(fingerprints.length);
  const nameWords = new Float64Array(fingerprints.length);
  for (let at = 0; at < entries.length; at++) {
    const document = entries[at] ?? 0;
    const packed = counts[at] ?? 0;
    nameWords[document] = (nameWords[document] ?? 0) + inName(packed);
    words[document] = (words[document] ?? 0) + bodyWords * (inName(packed) + inDescription(packed)) + inBody(packed);
  }
  // The square root, because a longer text also says more.
  const lengths = divideByMean(words).map(Math.sqrt);
  const names = divideByMean(nameWords);
  const postings = new Map<number, Posting>();

  function read(number: number): Posting {
    const [start = 0, end = 0] = starts.subarray(number, number + 2);
    const documents = entries.subarray(start, end);
    let holders = 0;
    const shares = Float32Array.from(documents, (document, at) => {
      const packed = counts[start + at] ?? 0;
      if (inName(packed) + inDescription(packed) > 0) holders += 1;
      const name = (weights.name * inName(packed)) / (names[document] ?? 1);
      const often = name + inDescription(packed) + weights.body * inBody(packed);
      return (often * (saturation + 1)) / (often + saturation * (lengths[document] ?? 1));
    });
    return { documents, shares, holders };
  }

  return (term) => {
    const number = placeIn(terms, term);
    if (terms[number] !== term) return undefined;
    const posting = postings.get(number) ?? read(number);
    postings.set(number, posting);
    return posting;
  };
}

function divideByMean(lengths: Float64Array): Float64Array {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return lengths.map((length) => Math.max(1, length) / Math.max(1, mean));
}
