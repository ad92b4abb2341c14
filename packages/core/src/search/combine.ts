// Combines what was found by words and by meaning into one ranking.

import type { Skill } from '../skill/skill.ts';
import type { SkillMatch } from './skill-index.ts';
import { maxQuery, wordsOf } from './words.ts';

/** What meaning counts, compared with words, for a query of which no word was found: less, because embeddings can be poor. */
const meaningShare = 0.6;

/** More than words and meaning count together. */
const exactName = 2;

/**
 * Combines two rankings by their scores, each as a share of its best one. The more words of the query the best match by words
 * lacks, the more meaning counts. A skill whose name is the query stays first; of a skill that both found, the words stay, and
 * the better band.
 *
 * The score of a match by meaning is how much closer it is than skills on average, in any unit. Matches by words that are not
 * among those by meaning count as no closer.
 */
export function combineMatches(
  query: string,
  byWords: readonly SkillMatch[],
  byMeaning: readonly SkillMatch[],
): readonly SkillMatch[] {
  const name = query.trim();
  const asked = new Set(wordsOf(query.slice(0, maxQuery)).map(({ term }) => term)).size;
  const lacking = Math.max(0, 1 - (byWords[0]?.words.length ?? 0) / Math.max(1, asked));
  const [most, closest] = [byWords, byMeaning].map((matches) => Math.max(...matches.map(({ score }) => score)));
  const found = new Map<Skill, SkillMatch>();
  for (const match of byWords) {
    const exact = match.skill.name === name ? exactName : 0;
    found.set(match.skill, { ...match, score: exact + shareOf(match.score, most) });
  }
  for (const match of byMeaning) {
    const known = found.get(match.skill) ?? { ...match, score: 0 };
    const score = known.score + meaningShare * lacking * shareOf(match.score, closest);
    found.set(match.skill, { ...known, score, band: known.band === 'none' ? match.band : known.band });
  }
  return [...found.values()].sort(compareMatches);
}

function shareOf(score: number, best = 0): number {
  return best > 0 ? Math.max(0, score) / best : 0;
}

/** Puts the best match first; the order of equal ones does not depend on that of the skills. */
export function compareMatches(one: SkillMatch, other: SkillMatch): number {
  return other.score - one.score || (one.skill.name < other.skill.name ? -1 : 1);
}
