// Says how well a match answers a query, so that a model is told when nothing fits.

import type { SearchBand } from './skill-index.ts';

/** What is known of one match. */
export interface Evidence {
  readonly score: number;
  /** Share of the query's words, by their rarity, that the skill has. */
  readonly covered: number;
  /** How many of its words the skill has. */
  readonly words: number;
  /** How many skills there are. */
  readonly skills: number;
}

/** A smaller catalog has no fewer chances. */
const leastSkills = 100;

/** One word that fits by chance is common, two are not. */
const singleShare = 0.5;

/** A strong match has so many times the evidence of the least weak one. */
const strongFrom = 2.5;

/**
 * Returns the band of a match. The best of many skills fits better by chance than the best of few: measured on 100 to
 * 10,000 skills, the limit grows with the fourth root of their number. A query whose words are all there is never `none`.
 */
export function bandOf({ score, covered, words, skills }: Evidence): SearchBand {
  const evidence = score * (covered / Math.max(skills, leastSkills)) ** 0.25 * (words > 1 ? 1 : singleShare);
  if (evidence >= strongFrom) return 'strong';
  return evidence >= 1 || covered > 0.98 ? 'weak' : 'none';
}
