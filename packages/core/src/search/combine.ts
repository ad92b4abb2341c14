// Combines the matches by words and by meaning into one ranking.

import type { Skill } from '../skill/skill.ts';
import { addBands, type UnratedMatches } from './band.ts';
import type { SkillMatch } from './skill-index.ts';

/** How close the meaning of a skill is to a query. */
export interface MatchByMeaning {
  readonly skill: Skill;
  /** How much closer it is than the average skill, in any unit. */
  readonly lead: number;
  /** Its similarity, converted by `closenessFrom`. */
  readonly closeness: number | undefined;
}

/** Weight of meaning, compared with words, if no word of the query was found. Below 1, because embeddings can be poor. */
const meaningShare = 0.8;

/** The smallest share of a query that counts as not covered. With 0, skills without its words would be ranked by name. */
const leastUncovered = 0.01;

/**
 * Combines two rankings by their scores, each as a share of the best score. The less of the query the best match by words covers,
 * the more meaning counts. A match by words whose meaning is unknown counts as no closer than the average skill.
 */
export function combineMatches(byWords: UnratedMatches, byMeaning: readonly MatchByMeaning[]): readonly SkillMatch[] {
  const { matches } = byWords;
  const uncovered = Math.max(1 - (matches[0]?.covered ?? 0), leastUncovered);
  const most = matches.reduce((best, { score }) => Math.max(best, score), 0);
  const closest = byMeaning.reduce((best, { lead }) => Math.max(best, lead), 0);
  const meanings = new Map(byMeaning.map((meaning) => [meaning.skill, meaning]));
  const found = new Set(matches.map(({ skill }) => skill));
  const withoutWords = [...meanings.keys()].filter((skill) => !found.has(skill));
  const all = [...matches, ...withoutWords.map((skill) => ({ skill, score: 0, covered: 0, words: [] }))];
  const withCloseness = all.map((match) => ({ ...match, closeness: meanings.get(match.skill)?.closeness }));
  return addBands({ ...byWords, matches: withCloseness })
    .map((match) => {
      const meaning = meaningShare * uncovered * shareOf(meanings.get(match.skill)?.lead ?? 0, closest);
      return { ...match, score: shareOf(match.score, most) + meaning };
    })
    .sort(compareMatches);
}

function shareOf(score: number, best: number): number {
  return best > 0 ? Math.max(0, score) / best : 0;
}

/** Puts the best match first, and sorts matches of equal score by name. */
export function compareMatches(one: SkillMatch, other: SkillMatch): number {
  return other.score - one.score || (one.skill.name < other.skill.name ? -1 : 1);
}
