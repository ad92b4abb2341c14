// Looks up terms: which skills have one, how much each is about it, and which terms an unknown word may mean: longer ones that begin
// with it, and those of which it is a typo.

import { closestNames } from '../text/closest.ts';
import { type Documents, inBody, inDescription, inName } from './documents.ts';

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

/** Creates the look-up of terms, each read when a query first needs it. Costs one pass over the terms of all skills. */
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

/** Returns the index of the first item that is not less than `wanted`, or the length of the list. */
export function placeIn<T extends string | number>(sorted: ArrayLike<T>, wanted: T): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && item < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ideograph = /^[^\u0000-\u2fff]/u;

/** Creates a function that finds up to three known terms for an unknown one. */
export function createFindNear(sorted: readonly string[]): (term: string) => readonly string[] {
  let letters: Uint32Array | undefined;
  return (term) => {
    letters ??= Uint32Array.from(sorted, lettersOf);
    const longer = withPrefix(sorted, term);
    if (longer.length > 0 || term.length < 4 || term.length > 32) return longer;
    // Terms with two typos must have the same first letter.
    const edits = term.length < 8 ? 1 : 2;
    const wanted = lettersOf(term);
    const similar: string[] = [];
    for (let at = 0; at < sorted.length; at++) {
      // An edit changes at most two elements of the set.
      if (bitCount((letters[at] ?? 0) ^ wanted) > 2 * edits) continue;
      const known = sorted[at] ?? '';
      if (Math.abs(known.length - term.length) > edits) continue;
      if (edits === 1 || known[0] === term[0]) similar.push(known);
    }
    return closestNames(term, similar, edits);
  };
}

function withPrefix(sorted: readonly string[], term: string): readonly string[] {
  if (term.length < 3 && !ideograph.test(term)) return [];
  const from = placeIn(sorted, term);
  return sorted.slice(from, from + 3).filter((known) => known.startsWith(term));
}

/** Returns the set of characters of a term as 32 bits, in which some characters share a bit. */
function lettersOf(term: string): number {
  let set = 0;
  for (let at = 0; at < term.length; at++) set |= 1 << (term.charCodeAt(at) & 31);
  return set >>> 0;
}

function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
