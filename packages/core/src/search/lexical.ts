// Finds skills by words with an index in memory, ranked by BM25F.

import { groupBy } from '../runtime/group-by.ts';
import { kindOf } from '../runtime/record.ts';
import { assertSkills, checkCounts, invalidOption } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import { addBands, exactName, type UnratedMatch, type UnratedMatches } from './band.ts';
import { type Documents, indexDocuments, textOf } from './documents.ts';
import { isMatching } from './filter.ts';
import { createFindNear } from './near-terms.ts';
import { createPostings, type Posting } from './postings.ts';
import { openDocuments, saveDocuments } from './saved.ts';
import type { SearchOptions, SkillIndex, SkillMatch } from './skill-index.ts';
import { placeIn } from './sorted.ts';
import { createTopList } from './top-list.ts';
import { foldName, maxQuery, wordsOf } from './words.ts';

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

interface QueryWord {
  readonly written: string;
  readonly rarity: number;
  /** The number of skills with the word in their name or description. */
  readonly holders: number;
  /** Whether it counts for the bands. About half of the unknown pairs of characters are no words, because they span two. */
  readonly isCounted: boolean;
}

/** A term of the index that a query contains or may mean. */
interface QueryTerm extends Posting {
  readonly weight: number;
  readonly word: QueryWord;
}

interface Query {
  readonly words: readonly QueryWord[];
  readonly terms: readonly QueryTerm[];
}

/** Unknown words of a query that are looked up as typos or beginnings of terms. */
const maxUnknown = 8;

/** Weight of a single letter or digit: "plan B" and "top 5" are not about `b` and `5`. */
const characterShare = 0.1;
const oneCharacter = /^[a-z0-9]$/u;

/** Weight of a term that the query only may mean. */
const nearShare = 0.6;

/** How much a word of a query counts by its place among the words: the first one twice as much as the last of a long query. */
const placeShare = (place: number): number => (1 + Math.exp(-place / 10)) / 2;

/** Words in smaller catalogs count as rare as in one of this size. */
const leastSize = 1_000;

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
  const documents = indexDocuments(skills, (skill) => textOf(skill, bodies?.get(skill)), previous);
  const postingOf = createPostings(documents);
  let names: ReadonlyMap<string, readonly number[]> | undefined;
  const byName = () => groupBy([...skills.keys()], (document) => foldName(skills[document]?.name ?? ''));
  const scores = new Float64Array(skills.length);
  const findNear = createFindNear(documents.terms);

  const size = Math.max(skills.length, leastSize);
  const rarityOf = (holding: number): number => Math.log(1 + (size - holding + 0.5) / (holding + 0.5));

  function readQuery(query: string): Query {
    const words: QueryWord[] = [];
    const terms: QueryTerm[] = [];
    let unknown = 0;
    let unknownPairs = 0;
    for (const [term, all] of groupBy(wordsOf(query.slice(0, maxQuery)), ({ term }) => term)) {
      const posting = postingOf(term);
      const count = all.reduce((sum, { share }) => sum + share, 0);
      const share = placeShare(words.length) * (oneCharacter.test(term) ? characterShare : Math.sqrt(count));
      const rarity = share * rarityOf(posting?.holders.length ?? 0);
      const [{ written = '', isPair = false } = {}] = all;
      const isCounted = !isPair || posting !== undefined || unknownPairs++ % 2 === 0;
      const word = { written, rarity, holders: posting?.described ?? 0, isCounted };
      words.push(word);
      if (posting !== undefined) {
        terms.push({ ...posting, weight: rarity, word });
      } else if (unknown++ < maxUnknown) {
        for (const near of findNear(term)) {
          const meant = postingOf(near);
          if (meant !== undefined)
            terms.push({ ...meant, weight: nearShare * share * rarityOf(meant.holders.length), word });
        }
      }
    }
    return { words, terms };
  }

  function scoreAll(terms: readonly QueryTerm[]): void {
    scores.fill(0);
    for (const { holders, shares, weight } of terms) {
      for (let at = 0; at < holders.length; at++) {
        const document = holders[at] ?? 0;
        scores[document] = (scores[document] ?? 0) + weight * (shares[at] ?? 0);
      }
    }
  }

  /** Lists the words by which a skill matched. */
  function explain(document: number, score: number, { words, terms }: Query): readonly UnratedMatch[] {
    const skill = skills[document];
    if (skill === undefined) return [];
    const having = terms.filter(({ holders }) => holders[placeIn(holders, document)] === document);
    const matched = new Set(having.map(({ word }) => word));
    const covered = sumOfRarity([...matched]) / Math.max(sumOfRarity(words), Number.MIN_VALUE);
    return [{ skill, score, covered, words: [...new Set([...matched].map(({ written }) => written))] }];
  }

  const index: LexicalIndex = {
    search: (query, options) => addBands(index.find(query, options)),
    find(query, { limit = 5, filter, signal } = {}) {
      checkCounts({ limit });
      signal?.throwIfAborted();
      const asked = readQuery(query);
      scoreAll(asked.terms);
      names ??= byName();
      for (const document of names.get(foldName(query.slice(0, maxQuery))) ?? []) {
        scores[document] = (scores[document] ?? 0) + exactName;
      }
      const top = createTopList(limit, (one, other) => compareSkills(skills[one], skills[other]));
      for (let document = 0; document < scores.length; document++) {
        const score = scores[document] ?? 0;
        const skill = skills[document];
        if (score === 0 || !top.admits(score) || skill === undefined) continue;
        if (filter === undefined || isMatching(skill, filter)) top.add(document, score);
      }
      const matches = top.list().flatMap(({ item, score }) => explain(item, score, asked));
      const counted = asked.words.filter(({ isCounted }) => isCounted);
      return { matches, holders: counted.map(({ holders }) => holders), skills: skills.length };
    },
    update: (others, options = {}) => createIndex(others, options.bodies, documents),
    save: () => saveDocuments(documents),
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
