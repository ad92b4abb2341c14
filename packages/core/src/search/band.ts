// Says how well a match answers a query, so that a model is told when nothing fits.

import type { SearchBand, SkillMatch } from './skill-index.ts';

/** What an index adds to the score of a skill whose name is the query. */
export const exactName = 1_000;

/** A match without a band. Its score adds up what its words count: the logarithm of how rare each is, about once or twice. */
export interface UnratedMatch extends Omit<SkillMatch, 'band'> {
  /** Share of the query's words, by their rarity, that the skill has. */
  readonly covered: number;
  /** How close its meaning is to that of the query, as `closenessFrom` says. @default 0: as close as a skill is to a question that no skill answers */
  readonly closeness?: number | undefined;
}

/** What a query found, and how common its words are. */
export interface UnratedMatches {
  readonly matches: readonly UnratedMatch[];
  /** For each word of the query, how many skills have it in their name or description. */
  readonly holders: readonly number[];
  /** How many skills there are. */
  readonly skills: number;
}

/** A smaller catalog is judged like one of this size. */
const leastSkills = 100;

/** The least evidence of a weak match, and of a strong one: found with catalogs of 100 to 10,000 skills. */
const [weakFrom, strongFrom] = [0.39, 0.78];

/** What a standard deviation of closeness counts beside the evidence of words. Meaning alone is weak at best. */
const deviationShare = 0.1;
const mostDeviations = 4;

/**
 * Says of each match how well it answers the query. A high score alone is weak evidence: one word that is rare in the catalog
 * gives it to a skill by accident. So it counts less if the catalog seldom speaks of the query's words, if the skill has few of
 * them, and if it is the best of many skills. What closeness says is added. A skill that has all words answers at least weakly;
 * if one answers, others that have words may.
 */
export function addBands({ matches, holders, skills }: UnratedMatches): readonly SkillMatch[] {
  const size = Math.max(skills, leastSkills);
  const known = holders.reduce((sum, having) => sum + (having / size) ** 0.25, 0) / Math.max(1, holders.length);
  const bands = matches.map(({ score, covered, closeness = 0 }): SearchBand => {
    const deviations = Math.max(-mostDeviations, Math.min(closeness, mostDeviations));
    const evidence = (score * covered ** 0.25 * known) / size ** 0.2 + deviationShare * deviations;
    if (evidence >= strongFrom || score >= exactName) return 'strong';
    return evidence >= weakFrom || covered > 0.99 ? 'weak' : 'none';
  });
  const least = bands.every((band) => band === 'none') ? 'none' : 'weak';
  return matches.map(({ covered, closeness: _, ...match }, at) => {
    const band = bands[at] ?? 'none';
    return { ...match, band: band === 'none' && covered > 0 ? least : band };
  });
}
