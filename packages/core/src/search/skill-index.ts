// The port: how skills are found by words. An index may be in memory, over embeddings or in a database.

import type { Skill } from '../skill/skill.ts';
import type { SkillFilter } from './filter.ts';

/** How well a skill answers a query; `none` means that it most probably does not. */
export type SearchBand = 'strong' | 'weak' | 'none';

/** A skill that a query found. */
export interface SkillMatch {
  readonly skill: Skill;
  /** Relevance; comparable within one query only. */
  readonly score: number;
  readonly band: SearchBand;
  /** Why it matched: the words of the query, as written there, that the skill has. Empty if only its meaning is close. */
  readonly words: readonly string[];
}

export interface SearchOptions {
  /** @default 5 */
  readonly limit?: number | undefined;
  /** Which skills count. @default all */
  readonly filter?: SkillFilter | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the reason if the answer is found by words only, because the better way failed or took too long. */
  readonly onFailure?: ((reason: string) => void) | undefined;
}

/** An index over some skills. */
export interface SkillIndex {
  /** Finds the best matches, best first; those of equal score are in the order of their names. */
  search(query: string, options?: SearchOptions): readonly SkillMatch[] | Promise<readonly SkillMatch[]>;
}

/** Creates the index of some skills. */
export type CreateSkillIndex = (skills: readonly Skill[]) => SkillIndex;
