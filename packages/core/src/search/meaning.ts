// Finds skills by meaning, by comparing the vector of a query with those of all skills.

import { createTurn } from '../runtime/turns.ts';
import type { Skill } from '../skill/skill.ts';
import type { MatchByMeaning } from './combine.ts';
import { isMatching, type SkillFilter } from './filter.ts';
import { closenessFrom } from './off-topic.ts';
import { createTopList } from './top-list.ts';
import { similarity } from './vectors.ts';

export interface FindMeaningsOptions {
  /** The number of closest skills to find. */
  readonly limit: number;
  /** Which skills count. */
  readonly filter?: SkillFilter | undefined;
  /** Skills to return as well, however close they are. */
  readonly others: ReadonlySet<Skill>;
}

/** Finds out how close skills are to the vector of a query. */
export type FindMeanings = (vector: Float32Array, options: FindMeaningsOptions) => readonly MatchByMeaning[];

/** Creates a search among the vectors of skills. First compares them with those of `offTopicQuestions`. */
export async function createFindMeanings(
  skills: readonly Skill[],
  vectors: readonly Float32Array[],
  questions: readonly Float32Array[],
): Promise<FindMeanings> {
  const turn = createTurn();
  const closest: number[] = [];
  for (const question of questions) {
    await turn(undefined);
    closest.push(vectors.reduce((best, vector) => Math.max(best, similarity(question, vector)), -1));
  }
  const closenessOf = closenessFrom(closest);
  const nameOf = (item: number): string => skills[item]?.name ?? '';

  return (vector, { limit, filter = {}, others }) => {
    const similarities = vectors.map((other) => similarity(vector, other));
    const mean = similarities.reduce((sum, value) => sum + value, 0) / Math.max(1, similarities.length);
    const top = createTopList(limit, (one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    skills.forEach((skill, item) => {
      const value = similarities[item] ?? mean;
      if (top.admits(value) && isMatching(skill, filter)) top.add(item, value);
    });
    const nearest = new Set(top.list().map(({ item }) => item));
    return skills.flatMap((skill, item): readonly MatchByMeaning[] => {
      if (!nearest.has(item) && !others.has(skill)) return [];
      const value = similarities[item] ?? mean;
      return [{ skill, lead: value - mean, closeness: closenessOf(value) }];
    });
  };
}
