// The other direction: which skills contain a term, and how long skills are.

import { type Documents, inBody, inDescription, inName } from './documents.ts';

export interface Postings {
  /** Where the skills of each term begin; one more than there are terms. */
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  readonly counts: Uint16Array;
  /** How much the length of each skill lessens its score; 1 for the mean length. */
  readonly lengths: Float64Array;
}

/** How skills are ranked: what an occurrence counts in each field, and the parameters of BM25F; tuned by `bench/search`. */
export const ranking = { name: 1.5, body: 0.2, lengthShare: 0.5, saturation: 2.2, rarity: 1.3, repeat: 0.2 };

/** Returns the weighted number of occurrences. */
export function weigh(packed: number): number {
  return ranking.name * inName(packed) + inDescription(packed) + ranking.body * inBody(packed);
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
  let all = 0;
  for (let document = 0; document < size; document++) {
    const end = begins[document + 1] ?? 0;
    for (let at = begins[document] ?? 0; at < end; at++) {
      const term = entries[at] ?? 0;
      const packed = given[at] ?? 0;
      const place = next[term] ?? 0;
      next[term] = place + 1;
      documents[place] = document;
      counts[place] = packed;
      words[document] = (words[document] ?? 0) + 5 * (inName(packed) + inDescription(packed)) + inBody(packed);
    }
    all += words[document] ?? 0;
  }
  const mean = Math.max(1, all / Math.max(1, size));
  const lengths = words.map((count) => 1 - ranking.lengthShare + (ranking.lengthShare * count) / mean);
  return { starts, documents, counts, lengths };
}
