// Finds skills by words with an index in memory, ranked by BM25F.

import { groupBy } from '../runtime/group-by.ts';
import { kindOf } from '../runtime/record.ts';
import { assertSkills, invalidOption } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import { addBands, exactName, type UnratedMatch, type UnratedMatches } from './band.ts';
import { type Documents, indexDocuments } from './documents.ts';
import { isMatching } from './filter.ts';
import { textOf } from './indexed-text.ts';
import { createReadQuery, type Query, type QueryTerm, type QueryWord } from './query.ts';
import { openDocuments, saveDocuments } from './saved.ts';
import { checkSearch, type SearchOptions, type SkillIndex, type SkillMatch } from './skill-index.ts';
import { placeIn } from './sorted.ts';
import { stem } from './stem.ts';
import { createTopList } from './top-list.ts';
import { commonWordsOf, foldName, maxQuery } from './words.ts';

/** An index in memory, which answers synchronously. */
export interface LexicalIndex extends SkillIndex {
  search(query: string, options?: SearchOptions): readonly SkillMatch[];
  /** Finds the same matches as `search`, without bands, for `combineMatches`. */
  find(query: string, options?: SearchOptions): UnratedMatches;
  /** Creates an index of other skills, or of the same after a reload. Texts that this index contains are not processed again. */
  update(skills: readonly Skill[], options?: Pick<CreateSkillIndexOptions, 'bodies'>): LexicalIndex;
  /** Returns bytes for the option `saved` of `createSkillIndex`. They are valid for this version of Skillful only. */
  save(): Uint8Array;
}

export interface CreateSkillIndexOptions {
  /** The bytes that an earlier index saved: skills with the same texts are not indexed again. Invalid bytes are ignored. */
  readonly saved?: Uint8Array | undefined;
  /** Further text of each skill, such as `readBodies` returns. @default none */
  readonly bodies?: ReadonlyMap<Skill, string> | undefined;
}

/**
 * Creates an index in memory. Costs one pass over names and descriptions; the cost of a query depends on how many skills have its
 * words.
 *
 * @throws {SkillError} `options-invalid` if `skills` is not a list, or `bodies` is not a map
 */
export function createSkillIndex(skills: readonly Skill[], options: CreateSkillIndexOptions = {}): LexicalIndex {
  assertSkills(skills);
  const { saved, bodies } = options;
  if (bodies !== undefined && typeof bodies.get !== 'function')
    throw invalidOption(`\`bodies\` must be a map from skills to texts, not ${kindOf(bodies)}.`);
  return createIndex(skills, bodies, saved === undefined ? undefined : openDocuments(saved));
}

function createIndex(
  skills: readonly Skill[],
  bodies: ReadonlyMap<Skill, string> | undefined,
  previous: Documents | undefined,
): LexicalIndex {
  const table = indexDocuments(skills, (skill) => textOf(skill, bodies?.get(skill)), previous);
  const readQuery = createReadQuery(table);
  const scores = new Float64Array(skills.length);
  let byName: ReadonlyMap<string, readonly number[]> | undefined;
  const groupByName = () => groupBy([...skills.keys()], (document) => foldName(skills[document]?.name ?? ''));

  function scoreAll(terms: readonly QueryTerm[]): void {
    scores.fill(0);
    for (const { documents, shares, weight } of terms) {
      for (let at = 0; at < documents.length; at++) {
        const document = documents[at] ?? 0;
        scores[document] = (scores[document] ?? 0) + weight * (shares[at] ?? 0);
      }
    }
  }

  /** Scores the skills whose names have all the given common words. */
  function scoreNames(common: readonly string[]): void {
    const termsOf = (words: readonly string[]): string[] => words.map((word) => stem(word.toLowerCase()));
    const terms = termsOf(common);
    for (const [document, { name }] of skills.entries()) {
      const own = termsOf(commonWordsOf(name));
      if (terms.every((term) => own.includes(term))) scores[document] = 1;
    }
  }

  /** Finds out which words of a query a skill has, and how much of the query they cover. */
  function explain(
    document: number,
    score: number,
    { words, terms }: Query,
    common: readonly string[],
  ): readonly UnratedMatch[] {
    const skill = skills[document];
    if (skill === undefined) return [];
    if (words.length === 0) return [{ skill, score, covered: 1, words: [...new Set(common)] }];
    const having = terms.filter(({ documents }) => documents[placeIn(documents, document)] === document);
    const matched = new Set(having.map(({ word }) => word));
    const covered = sumOfRarity([...matched]) / sumOfRarity(words);
    return [{ skill, score, covered, words: [...new Set([...matched].map(({ written }) => written))] }];
  }

  const index: LexicalIndex = {
    search: (query, options) => addBands(index.find(query, options)),
    find(query, options = {}) {
      checkSearch(options);
      const { limit = 5, filter, signal } = options;
      signal?.throwIfAborted();
      const asked = readQuery(query);
      scoreAll(asked.terms);
      // A query such as `user` consists of words that the index leaves out.
      const common = asked.words.length === 0 ? commonWordsOf(query.slice(0, maxQuery)) : [];
      if (common.length > 0) scoreNames(common);
      byName ??= groupByName();
      for (const document of byName.get(foldName(query.slice(0, maxQuery))) ?? []) {
        scores[document] = (scores[document] ?? 0) + exactName;
      }
      const top = createTopList(limit, (one, other) => compareSkills(skills[one], skills[other]));
      for (let document = 0; document < scores.length; document++) {
        const score = scores[document] ?? 0;
        const skill = skills[document];
        if (score === 0 || !top.admits(score) || skill === undefined) continue;
        if (filter === undefined || isMatching(skill, filter)) top.add(document, score);
      }
      const matches = top.list().flatMap(({ item, score }) => explain(item, score, asked, common));
      const counted = asked.words.filter(({ isCounted }) => isCounted);
      return { matches, holders: counted.map(({ holders }) => holders), skills: skills.length };
    },
    update: (others, options = {}) => createIndex(others, options.bodies, table),
    save: () => saveDocuments(table),
  };
  return index;
}

/** Compares skills with equal scores by name, so that the order of the skills does not matter. */
function compareSkills(one: Skill | undefined, other: Skill | undefined): number {
  const key = (skill: Skill | undefined): readonly string[] =>
    skill === undefined ? [] : [skill.name, skill.source.id, skill.directory];
  const [ones, others] = [key(one), key(other)];
  const at = ones.findIndex((text, index) => text !== others[index]);
  return at === -1 ? 0 : (ones[at] ?? '') < (others[at] ?? '') ? -1 : 1;
}

function sumOfRarity(words: readonly QueryWord[]): number {
  return words.reduce((sum, { rarity }) => sum + rarity, 0);
}
