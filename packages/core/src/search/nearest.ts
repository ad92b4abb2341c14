// Finds the skills whose vectors are closest to the vector of a query.

import { createTurn } from '../runtime/turns.ts';
import type { Skill } from '../skill/skill.ts';
import type { MatchByMeaning } from './combine.ts';
import { isMatching, type SkillFilter } from './filter.ts';
import { closenessFrom } from './off-topic.ts';
import { createTopList } from './top-list.ts';
import { similarity } from './vectors.ts';

/** Finds at most so many skills that are closest to the vector of a query, and how close those are that words have `found`. */
export type FindNearest = (
  vector: Float32Array,
  options: { readonly most: number; readonly filter: SkillFilter | undefined; readonly found: ReadonlySet<Skill> },
) => readonly MatchByMeaning[];

/** Creates a search among the vectors of skills. First compares them with the vectors of `offTopicQuestions`. */
export async function prepareFindNearest(
  skills: readonly Skill[],
  vectors: readonly Float32Array[],
  questions: readonly Float32Array[],
): Promise<FindNearest> {
  const turn = createTurn();
  const closest: number[] = [];
  for (const question of questions) {
    await turn(undefined);
    closest.push(vectors.reduce((best, vector) => Math.max(best, similarity(question, vector)), -1));
  }
  const closenessOf = closenessFrom(closest);
  const nameOf = (item: number): string => skills[item]?.name ?? '';

  return (vector, { most, filter = {}, found }) => {
    const similarities = vectors.map((other) => similarity(vector, other));
    const mean = similarities.reduce((sum, value) => sum + value, 0) / Math.max(1, similarities.length);
    const top = createTopList(most, (one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    skills.forEach((skill, item) => {
      const value = similarities[item] ?? mean;
      if (top.admits(value) && isMatching(skill, filter)) top.add(item, value);
    });
    const nearest = new Set(top.list().map(({ item }) => item));
    return skills.flatMap((skill, item): readonly MatchByMeaning[] => {
      if (!nearest.has(item) && !found.has(skill)) return [];
      const value = similarities[item] ?? mean;
      return [{ skill, lead: value - mean, closeness: closenessOf(value) }];
    });
  };
}
