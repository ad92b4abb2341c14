// Combines what was found by words and by meaning into one ranking.

import type { Skill } from '../skill/skill.ts';
import type { SkillMatch } from './skill-index.ts';

/** So small that a skill which the words find first comes before one that both ways find tenth. */
const flatness = 5;

/** What a rank by meaning counts, compared with one by words: half, because embeddings can be poor and words are exact. */
const meaningShare = 0.5;

/**
 * Combines two rankings by reciprocal ranks, because their scores cannot be compared. A skill whose name is the query stays
 * first; of a skill that both found, the words stay, and the better band.
 */
export function combineMatches(
  query: string,
  byWords: readonly SkillMatch[],
  byMeaning: readonly SkillMatch[],
): readonly SkillMatch[] {
  const name = query.trim();
  const found = new Map<Skill, SkillMatch>();
  byWords.forEach((match, rank) => {
    const exact = match.skill.name === name ? 1 : 0;
    found.set(match.skill, { ...match, score: exact + 1 / (flatness + rank + 1) });
  });
  byMeaning.forEach((match, rank) => {
    const known = found.get(match.skill) ?? { ...match, score: 0 };
    const score = known.score + meaningShare / (flatness + rank + 1);
    found.set(match.skill, { ...known, score, band: known.band === 'none' ? match.band : known.band });
  });
  return [...found.values()].sort(compareMatches);
}

/** Puts the best match first; the order of equal ones does not depend on that of the skills. */
export function compareMatches(one: SkillMatch, other: SkillMatch): number {
  return other.score - one.score || (one.skill.name < other.skill.name ? -1 : 1);
}
