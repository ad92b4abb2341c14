// The other direction: which skills contain a term, and how long skills are.

import { type Documents, inBody, inDescription, inName } from './documents.ts';

export interface Postings {
  /** Where the skills of each term begin; one more than there are terms. */
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  readonly counts: Uint16Array;
  /** What a word in the name of each skill counts: more in a short name. */
  readonly names: Float64Array;
  /** How much the length of each skill lessens its score; 1 for the mean length. */
  readonly lengths: Float64Array;
}

/** How skills are ranked: what an occurrence counts in each field, and the parameters of BM25F; tuned by `bench/search`. */
export const ranking = {
  name: 1.5,
  body: 0.2,
  nameLengthShare: 0.75,
  lengthShare: 0.5,
  saturation: 2.2,
  rarity: 1.15,
  repeat: 0.2,
};

/** Returns the weighted number of occurrences; `name` is what one in the name counts. */
export function weigh(packed: number, name: number): number {
  return name * inName(packed) + inDescription(packed) + ranking.body * inBody(packed);
}

/** Turns documents around. Costs two passes over their terms. */
export function invertDocuments({ terms, starts: begins, entries, counts: given }: Documents): Postings {
  const starts = new Uint32Array(terms.length + 1);
  for (const entry of entries) starts[entry + 1] = (starts[entry + 1] ?? 0) + 1;
  for (let term = 0; term < terms.length; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const next = starts.slice();
  const documents = new Uint32Array(entries.length);
  const counts = new Uint16Array(entries.length);
  const size = begins.length - 1;
  // Whole numbers, so that the order of the skills cannot change their sum: a word of the body counts a fifth.
  const words = new Float64Array(size);
  const nameWords = new Float64Array(size);
  for (let document = 0; document < size; document++) {
    const end = begins[document + 1] ?? 0;
    for (let at = begins[document] ?? 0; at < end; at++) {
      const term = entries[at] ?? 0;
      const packed = given[at] ?? 0;
      const place = next[term] ?? 0;
      next[term] = place + 1;
      documents[place] = document;
      counts[place] = packed;
      nameWords[document] = (nameWords[document] ?? 0) + inName(packed);
      words[document] = (words[document] ?? 0) + 5 * (inName(packed) + inDescription(packed)) + inBody(packed);
    }
  }
  const names = compareLengths(nameWords, ranking.nameLengthShare).map((length) => ranking.name / length);
  return { starts, documents, counts, names, lengths: compareLengths(words, ranking.lengthShare) };
}

/** Compares each length with the mean, of which a share counts. */
function compareLengths(lengths: Float64Array, share: number): Float64Array {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return lengths.map((length) => 1 - share + (share * length) / Math.max(1, mean));
}
