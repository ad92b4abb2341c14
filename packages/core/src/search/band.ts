// Rates how well matches answer a query, so that a model learns when nothing fits.

import type { SearchBand, SkillMatch } from './skill-index.ts';

/** Score that an index adds if the query is the name of the skill. */
export const exactName = 1_000;

/** A match without a band. Its score is the sum over its words: each counts about once or twice the logarithm of its rarity. */
export interface UnratedMatch extends Omit<SkillMatch, 'band'> {
  /** Share of the query's words that the skill has, weighted by rarity. */
  readonly covered: number;
  /**
   * How close its meaning is to the query, as computed by `closenessFrom`. @default 0, which is as close as skills are to
   * questions that none answers
   */
  readonly closeness?: number | undefined;
}

/** The matches of a query, and how common its words are. */
export interface UnratedMatches {
  readonly matches: readonly UnratedMatch[];
  /** For each word of the query, the number of skills with the word in their name or description. */
  readonly holders: readonly number[];
  /** The number of skills in the index. */
  readonly skills: number;
}

/** Smaller catalogs are rated as if they had this many skills. */
const leastSkills = 100;

/** The least evidence for a weak and for a strong match, measured with catalogs of 100 to 10,000 skills. */
const [weakFrom, strongFrom] = [0.64, 1.1];

/** Evidence that one standard deviation of closeness adds. Meaning alone is weak at best. */
const deviationShare = 0.16;
const mostDeviations = 4;

/** A skill that covers more than this has all words: a sum of shares may be a little below 1. */
const allCovered = 0.99;

/** Lets ten times as many skills count only 1.6 times as much. */
const fifthRoot = (count: number): number => count ** 0.2;

/**
 * Rates how well each match answers the query. A high score alone is weak evidence, because a single rare word can cause it by
 * accident. So the score counts less if few skills have the query's words, and if there are many skills. Closeness of meaning is
 * added. A skill with all words is at least a weak match. If one skill matches, other skills with words of the query are at least
 * weak matches, too.
 */
export function addBands({ matches, holders, skills }: UnratedMatches): readonly SkillMatch[] {
  const size = Math.max(skills, leastSkills);
  const commonness = holders.reduce((sum, having) => sum + fifthRoot(having / size), 0) / Math.max(1, holders.length);
  const bands = matches.map(({ score, covered, closeness = 0 }): SearchBand => {
    const deviations = Math.max(-mostDeviations, Math.min(closeness, mostDeviations));
    const evidence = (score * commonness) / fifthRoot(size) + deviationShare * deviations;
    if (evidence >= strongFrom || score >= exactName) return 'strong';
    return evidence >= weakFrom || covered > allCovered ? 'weak' : 'none';
  });
  const bandOfRest = bands.every((band) => band === 'none') ? 'none' : 'weak';
  return matches.map(({ covered, closeness: _, ...match }, at) => {
    const band = bands[at] ?? 'none';
    return { ...match, band: band === 'none' && covered > 0 ? bandOfRest : band };
  });
}
