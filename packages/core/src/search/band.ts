// Says how well a match answers a query, so that a model is told when nothing fits.

import type { SearchBand } from './skill-index.ts';

/** What is known of one match. */
export interface Evidence {
  /** In units of a word that no other skill has. */
  readonly score: number;
  /** Share of the query's words, by their rarity, that the skill has. */
  readonly covered: number;
  /** How many of its words the skill has. */
  readonly words: number;
}

/** Calibrated on queries that some skill answers and on queries that none does; docs/search.md has the figures. */
const strongFrom = 1.7;
const weakFrom = 0.65;

/** One word that fits by chance is common, two are not. */
const singleShare = 0.5;

/** Returns the band of a match. A query whose words are all there is never `none`. */
export function bandOf({ score, covered, words }: Evidence): SearchBand {
  const evidence = score * Math.sqrt(covered) * (words > 1 ? 1 : singleShare);
  if (evidence >= strongFrom) return 'strong';
  return evidence >= weakFrom || covered > 0.98 ? 'weak' : 'none';
}
