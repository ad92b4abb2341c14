// Reads the words of a query: the terms of the index that each one means, and how much it counts.

import { groupBy } from '../runtime/group-by.ts';
import type { Documents } from './documents.ts';
import { createFindNear } from './near-terms.ts';
import { createPostings, type Posting } from './postings.ts';
import { maxQuery, wordsOf } from './words.ts';

/** A word of a query, and how much it tells about the skills that have it. */
export interface QueryWord {
  readonly written: string;
  readonly rarity: number;
  /** The number of skills with the word in their name or description. */
  readonly holders: number;
  /** Whether it counts for the bands. */
  readonly isCounted: boolean;
}

/** A term of the index that a query contains or may mean. */
export interface QueryTerm extends Posting {
  readonly weight: number;
  readonly word: QueryWord;
}

/** A query in the form that an index is searched for. */
export interface Query {
  readonly words: readonly QueryWord[];
  readonly terms: readonly QueryTerm[];
}

/** Unknown words of a query that are looked up as typos or beginnings of terms, because each is compared with all terms. */
const maxUnknown = 8;

/** Weight of a single letter or digit: "plan B" and "top 5" are not about `b` and `5`. */
const characterShare = 0.1;
const oneCharacter = /^[a-z0-9]$/u;

/** Weight of a term that the query only may mean. */
const nearShare = 0.6;

/** How much a word of a query counts by its place among the words: the first one twice as much as the last of a long query. */
const placeShare = (place: number): number => (1 + Math.exp(-place / 10)) / 2;

/** Words in smaller catalogs count as rare as in one of this size. */
const leastSize = 1_000;

/** Creates the reader of queries to an index. */
export function createReadQuery(table: Documents): (query: string) => Query {
  const postingOf = createPostings(table);
  const findNear = createFindNear(table.terms);
  const size = Math.max(table.fingerprints.length, leastSize);
  const rarityOf = (having: number): number => Math.log(1 + (size - having + 0.5) / (having + 0.5));

  /** Looks up the terms that an unknown word may mean. */
  function termsNear(unknown: string, share: number, word: QueryWord): readonly QueryTerm[] {
    return findNear(unknown).flatMap((term) => {
      const posting = postingOf(term);
      if (posting === undefined) return [];
      return [{ ...posting, weight: nearShare * share * rarityOf(posting.documents.length), word }];
    });
  }

  return (query) => {
    const words: QueryWord[] = [];
    const terms: QueryTerm[] = [];
    let unknown = 0;
    let unknownPairs = 0;
    for (const [term, occurrences] of groupBy(wordsOf(query.slice(0, maxQuery)), ({ term }) => term)) {
      const posting = postingOf(term);
      const count = occurrences.reduce((sum, { share }) => sum + share, 0);
      const share = placeShare(words.length) * (oneCharacter.test(term) ? characterShare : Math.sqrt(count));
      const rarity = share * rarityOf(posting?.documents.length ?? 0);
      const [{ written = '', isPair = false } = {}] = occurrences;
      const isUnknownPair = isPair && posting === undefined;
      if (isUnknownPair) unknownPairs += 1;
      // Every other one is left out, because about half of the unknown pairs of characters are no words: they span two.
      const isCounted = !isUnknownPair || unknownPairs % 2 === 1;
      const word = { written, rarity, holders: posting?.holders ?? 0, isCounted };
      words.push(word);
      if (posting !== undefined) terms.push({ ...posting, weight: rarity, word });
      else if (unknown++ < maxUnknown) terms.push(...termsNear(term, share, word));
    }
    return { words, terms };
  };
}
