// Says how well a match answers a query, so that a model is told when nothing fits.

import type { SearchBand } from './skill-index.ts';

/** What is known of one match. */
export interface Evidence {
  /** Its score, in units of what the rarest word counts. */
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

/** A strong match has so many times the evidence of the least weak one. */
const strongFrom = 2;

/**
 * Returns the band of a match. Several words fit by chance less often than one, a long query fits more often, and so does the
 * best of many skills: measured on 100 to 10,000, the limit grows with the logarithm of their number. A query whose words are
 * all there is never `none`.
 */
export function bandOf({ score, covered, words, skills }: Evidence): SearchBand {
  const limit = (2.2 + Math.log10(Math.max(skills, leastSkills))) / 4;
  const evidence = (score * Math.sqrt(words) * covered ** 0.25) / limit;
  if (evidence >= strongFrom) return 'strong';
  return evidence >= 1 || covered > 0.98 ? 'weak' : 'none';
}
