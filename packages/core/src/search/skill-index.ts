// The port for search. An index may be in memory, use embeddings or be in a database.

import { checkCounts, checkKeys } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillFilter } from './filter.ts';

/** How well a skill answers a query; `none` means most probably not at all. */
export type SearchBand = 'strong' | 'weak' | 'none';

/** A skill that a query found. */
export interface SkillMatch {
  readonly skill: Skill;
  /** Relevance; comparable within one query only. */
  readonly score: number;
  readonly band: SearchBand;
  /** The words of the query, as written there, that the skill has. Empty if only its meaning is close. */
  readonly words: readonly string[];
}

export interface SearchOptions {
  /** @default 5 */
  readonly limit?: number | undefined;
  /** Limits the search to some skills. @default all */
  readonly filter?: SkillFilter | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the reason if skills were found by words only, because the better way failed or took too long. */
  readonly onFailure?: ((reason: string) => void) | undefined;
}

/** Checks the options of a search, because with a misspelt filter it would find too much. @throws {SkillError} `options-invalid` */
export function checkSearch(options: SearchOptions): void {
  checkKeys('options', options, ['limit', 'filter', 'signal', 'onFailure']);
  checkKeys('filter', options.filter, ['scope', 'source', 'tag', 'metadata']);
  checkCounts({ limit: options.limit });
}

/** An index over some skills. */
export interface SkillIndex {
  /** Finds the best matches, best first; matches of equal score are sorted by name. */
  search(query: string, options?: SearchOptions): readonly SkillMatch[] | Promise<readonly SkillMatch[]>;
}

/** Creates an index of skills. */
export type CreateSkillIndex = (skills: readonly Skill[]) => SkillIndex;
