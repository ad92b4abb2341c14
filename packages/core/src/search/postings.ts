// Looks up which skills have a term, and how much each is about it. Computed when a query first needs the term.

import { type Documents, inBody, inDescription, inName } from './documents.ts';
import { placeIn } from './sorted.ts';

/** The skills that have a term. */
export interface Posting {
  /** Their numbers, in order. */
  readonly holders: Uint32Array;
  /** How much each skill is about the term: from 0 to `saturation` + 1. */
  readonly shares: Float32Array;
  /** The number of skills with the term in their name or description. */
  readonly described: number;
}

/** Parameters of BM25F: the weights of a word in the name and in the body, and how slowly repetitions stop counting. */
const weights = { name: 2, body: 0.2 };
const saturation = 2.2;

/** Creates the look-up of terms. Costs one pass over the terms of all skills. */
export function createPostings({
  terms,
  prints,
  starts,
  entries,
  counts,
}: Documents): (term: string) => Posting | undefined {
  // In whole numbers, so that the order of the skills cannot change the sum: a word of the body counts a fifth.
  const words = new Float64Array(prints.length);
  const nameWords = new Float64Array(prints.length);
  for (let at = 0; at < entries.length; at++) {
    const document = entries[at] ?? 0;
    const packed = counts[at] ?? 0;
    nameWords[document] = (nameWords[document] ?? 0) + inName(packed);
    words[document] = (words[document] ?? 0) + 5 * (inName(packed) + inDescription(packed)) + inBody(packed);
  }
  // The square root, because a longer text also says more.
  const lengths = compareWithMean(words).map(Math.sqrt);
  const names = compareWithMean(nameWords);
  const postings = new Map<number, Posting>();

  function read(number: number): Posting {
    const [start = 0, end = 0] = starts.subarray(number, number + 2);
    const holders = entries.subarray(start, end);
    let described = 0;
    const shares = Float32Array.from(holders, (document, at) => {
      const packed = counts[start + at] ?? 0;
      if (inName(packed) + inDescription(packed) > 0) described += 1;
      const name = (weights.name * inName(packed)) / (names[document] ?? 1);
      const often = name + inDescription(packed) + weights.body * inBody(packed);
      return (often * (saturation + 1)) / (often + saturation * (lengths[document] ?? 1));
    });
    return { holders, shares, described };
  }

  return (term) => {
    const number = placeIn(terms, term);
    if (terms[number] !== term) return undefined;
    const posting = postings.get(number) ?? read(number);
    postings.set(number, posting);
    return posting;
  };
}

function compareWithMean(lengths: Float64Array): Float64Array {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return lengths.map((length) => Math.max(1, length) / Math.max(1, mean));
}
