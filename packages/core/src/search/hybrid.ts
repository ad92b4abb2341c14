// Finds skills by words and by meaning at once; if the embedder fails, by words alone.

import { inTime } from '../runtime/in-time.ts';
import { createTurn } from '../runtime/turns.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf } from '../skill/error.ts';
import type { Skill } from '../skill/skill.ts';
import { combineMatches, compareMatches } from './combine.ts';
import { isMatching } from './filter.ts';
import { createSkillIndex, type LexicalIndex } from './lexical.ts';
import { closeFrom, offTopicQuestions } from './off-topic.ts';
import type { CreateSkillIndex, SearchOptions, SkillMatch } from './skill-index.ts';
import { createTopList } from './top-list.ts';
import { type Embed, embedQueries, embedSkills, similarity, type VectorCache } from './vectors.ts';

/** Scores how well each text answers a query; higher is better. */
export type Rerank = (
  query: string,
  texts: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<readonly number[]>;

export interface HybridIndexOptions {
  readonly embed: Embed;
  /** Puts the best candidates into their final order. @default none */
  readonly rerank?: Rerank | undefined;
  /** Where the vectors of skills are kept. @default a `Map` in memory, shared by all indexes of this factory */
  readonly vectors?: VectorCache | undefined;
  /**
   * Milliseconds that a search waits for vectors and for the order of `rerank`, each. Embedding continues for later searches.
   * @default 2,000
   */
  readonly timeout?: number | undefined;
}

/** Matches of each way that are combined, and candidates that are ranked again. */
const combined = 100;
const rerankedLeast = 20;

/** What is known of the skills of an index. */
interface Embedded {
  /** The vector of each skill. */
  readonly all: readonly Float32Array[];
  /** The similarity above which a skill answers. */
  readonly limit: number;
}

/** Creates a factory of indexes that find skills by words and by meaning. Use it as `createIndex` of a toolkit. */
export function hybridIndex({
  embed,
  rerank,
  vectors = new Map<string, ArrayLike<number>>(),
  timeout = 2_000,
}: HybridIndexOptions): CreateSkillIndex {
  let latest: LexicalIndex | undefined;
  let questions: readonly Float32Array[] | undefined;
  return (skills) => {
    latest = latest?.update(skills) ?? createSkillIndex(skills);
    const lexical = latest;
    let embedding: Promise<Embedded> | undefined;

    /** Starts once; after a failure the next search starts again. */
    function embedAll(): Promise<Embedded> {
      embedding ??= embedCatalog().catch((error: unknown) => {
        embedding = undefined;
        throw error;
      });
      return embedding;
    }

    async function embedCatalog(): Promise<Embedded> {
      const all = await embedSkills(skills, embed, vectors);
      questions ??= await embedQueries(offTopicQuestions, embed);
      const turn = createTurn();
      const closest: number[] = [];
      for (const question of questions) {
        await turn(undefined);
        closest.push(all.reduce((best, vector) => Math.max(best, similarity(question, vector)), -1));
      }
      return { all, limit: closeFrom(closest) };
    }

    function wait<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
      return untilAborted(inTime(work, timeout, `No answer within ${timeout} ms.`), signal);
    }

    /** Compares the query with the skills closest to it, and with those that its words find. */
    async function findClose(
      query: string,
      byWords: readonly SkillMatch[],
      { filter, signal }: SearchOptions,
    ): Promise<readonly SkillMatch[]> {
      const [[vector = new Float32Array()], { all, limit }] = await wait(
        Promise.all([embedQueries([query], embed, signal), embedAll()]),
        signal,
      );
      const close = all.map((other) => similarity(vector, other));
      const mean = close.reduce((sum, value) => sum + value, 0) / Math.max(1, close.length);
      const top = createTopList(combined, (one, other) => compareNames(skills[one], skills[other]));
      close.forEach((value, index) => {
        const skill = skills[index];
        const isKept = skill !== undefined && (filter === undefined || isMatching(skill, filter));
        if (isKept && top.admits(value)) top.add(index, value);
      });
      const nearest = new Set(top.list().map(({ item }) => item));
      const others = new Set(byWords.map(({ skill }) => skill));
      return skills.flatMap((skill, index): SkillMatch[] => {
        if (!nearest.has(index) && !others.has(skill)) return [];
        const value = close[index] ?? mean;
        return [{ skill, score: value - mean, band: value > limit ? 'weak' : 'none', words: [] }];
      });
    }

    async function rankAgain(query: string, matches: readonly SkillMatch[], { limit = 5, signal }: SearchOptions) {
      if (rerank === undefined) return matches;
      const candidates = matches.slice(0, Math.max(rerankedLeast, 4 * limit));
      const texts = candidates.map(({ skill: { name, description } }) => `${name}: ${description}`);
      const scores = await wait(rerank(query, texts, { signal }), signal);
      return candidates
        .map((match, index) => ({ ...match, score: scores[index] ?? Number.NEGATIVE_INFINITY }))
        .sort(compareMatches);
    }

    return {
      async search(query, options = {}) {
        const { limit = 5, signal, onFailure } = options;
        const byWords = lexical.search(query, { ...options, limit: Math.max(limit, combined) });
        // The exact name of a skill needs no second opinion.
        if (query.trim() === '' || byWords[0]?.skill.name === query.trim()) return byWords.slice(0, limit);
        let matches = byWords;
        try {
          matches = combineMatches(query, byWords, await findClose(query, byWords, options));
          matches = await rankAgain(query, matches, options);
        } catch (error) {
          signal?.throwIfAborted();
          onFailure?.(reasonOf(error));
        }
        return matches.slice(0, limit);
      },
    };
  };
}

function compareNames(one: Skill | undefined, other: Skill | undefined): number {
  return (one?.name ?? '') < (other?.name ?? '') ? -1 : 1;
}
