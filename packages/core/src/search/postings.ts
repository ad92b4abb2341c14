// The other direction: which skills contain a term, and how much each of them is about it.

import { type Documents, inBody, inDescription, inName } from './documents.ts';

export interface Postings {
  /** Where the skills of each term begin; one more than there are terms. */
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  /** How much each of these skills is about the term: from 0 to `saturation` + 1. */
  readonly shares: Float32Array;
  /** How many skills have each term in their name or description. */
  readonly described: Uint32Array;
}

/** BM25F: what a word counts in the name and in the body of a skill, and how slowly further ones stop to count. */
const weights = { name: 2, body: 0.2 };
const saturation = 2.2;

/** Turns documents around. Costs two passes over their terms. */
export function invertDocuments({ terms, starts: begins, entries, counts }: Documents): Postings {
  const starts = new Uint32Array(terms.length + 1);
  for (const entry of entries) starts[entry + 1] = (starts[entry + 1] ?? 0) + 1;
  for (let term = 0; term < terms.length; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const size = begins.length - 1;
  // Whole numbers, so that the order of the skills cannot change their sum: a word of the body counts a fifth.
  const words = new Float64Array(size);
  const nameWords = new Float64Array(size);
  for (let document = 0; document < size; document++) {
    const end = begins[document + 1] ?? 0;
    for (let at = begins[document] ?? 0; at < end; at++) {
      const packed = counts[at] ?? 0;
      nameWords[document] = (nameWords[document] ?? 0) + inName(packed);
      words[document] = (words[document] ?? 0) + 5 * (inName(packed) + inDescription(packed)) + inBody(packed);
    }
  }
  // The root, because a long text also says more.
  const lengths = compareWithMean(words).map(Math.sqrt);
  const names = compareWithMean(nameWords);
  const next = starts.slice();
  const documents = new Uint32Array(entries.length);
  const shares = new Float32Array(entries.length);
  const described = new Uint32Array(terms.length);
  for (let document = 0; document < size; document++) {
    const end = begins[document + 1] ?? 0;
    for (let at = begins[document] ?? 0; at < end; at++) {
      const packed = counts[at] ?? 0;
      const name = (weights.name * inName(packed)) / (names[document] ?? 1);
      const often = name + inDescription(packed) + weights.body * inBody(packed);
      const term = entries[at] ?? 0;
      if (inName(packed) + inDescription(packed) > 0) described[term] = (described[term] ?? 0) + 1;
      const place = next[term] ?? 0;
      next[term] = place + 1;
      documents[place] = document;
      shares[place] = (often * (saturation + 1)) / (often + saturation * (lengths[document] ?? 1));
    }
  }
  return { starts, documents, shares, described };
}

function compareWithMean(lengths: Float64Array): Float64Array {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return lengths.map((length) => Math.max(1, length) / Math.max(1, mean));
}
