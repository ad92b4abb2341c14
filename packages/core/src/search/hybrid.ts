// Finds skills by words and by meaning, or by words alone if the embedder fails.

import { shareWork } from '../runtime/shared.ts';
import { inTime, untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf } from '../skill/error.ts';
import { checkAmounts, checkFunction } from '../skill/options.ts';
import { addBands, exactName } from './band.ts';
import { combineMatches, compareMatches } from './combine.ts';
import { textOf } from './indexed-text.ts';
import { createSkillIndex, type LexicalIndex } from './lexical.ts';
import { prepareFindNearest } from './nearest.ts';
import { offTopicQuestions } from './off-topic.ts';
import { type CreateSkillIndex, checkSearch, type SkillMatch } from './skill-index.ts';
import { type Embed, embedQueries, embedSkills, type VectorCache } from './vectors.ts';

/** Scores how well each text answers a query; higher is better. */
export type Rerank = (
  query: string,
  texts: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<readonly number[]>;

export interface HybridIndexOptions {
  readonly embed: Embed;
  /** Decides the final order of the best candidates. @default none */
  readonly rerank?: Rerank | undefined;
  /** Stores the vectors of skills. @default a `Map` in memory, shared by all indexes of this factory */
  readonly vectors?: VectorCache | undefined;
  /**
   * Milliseconds that a search waits for vectors, and again for `rerank`. Embedding continues for later searches.
   * @default 2,000
   */
  readonly timeout?: number | undefined;
}

/** How many matches by words, and by meaning, are combined, and at least how many are candidates for `rerank`. */
const mostCombined = 100;
const leastCandidates = 20;

/**
 * Creates a factory of indexes that find skills by words and by meaning. Pass it to a toolkit as `createIndex`.
 *
 * @throws {SkillError} `options-invalid` if `embed` or `rerank` is not a function, or `timeout` is not a number
 */
export function hybridIndex({
  embed,
  rerank,
  vectors = new Map<string, ArrayLike<number>>(),
  timeout = 2_000,
}: HybridIndexOptions): CreateSkillIndex {
  checkAmounts({ timeout });
  checkFunction('embed', embed);
  if (rerank !== undefined) checkFunction('rerank', rerank);
  let latest: LexicalIndex | undefined;
  const embedQuestions = shareWork(() => embedQueries(offTopicQuestions, embed));
  const wait = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    untilAborted(inTime(work, timeout, `No answer within ${timeout} ms.`), signal);

  return (skills) => {
    const lexical = latest?.update(skills) ?? createSkillIndex(skills);
    latest = lexical;
    const prepareNearest = shareWork(async (alive) => {
      const embedPart: Embed = async (...part) => {
        const found = await embed(...part);
        alive();
        return found;
      };
      return prepareFindNearest(skills, await embedSkills(skills, embedPart, vectors), await embedQuestions());
    });
    return {
      async search(query, options = {}) {
        checkSearch(options);
        const { limit = 5, filter, signal, onFailure } = options;
        const byWords = lexical.find(query, { ...options, limit: Math.max(limit, mostCombined) });
        let matches = addBands(byWords);
        // If the query is the exact name of a skill, its meaning does not matter.
        if (query.trim() === '' || (matches[0]?.score ?? 0) >= exactName) return matches.slice(0, limit);
        try {
          const embedding = Promise.all([embedQueries([query], embed, signal), prepareNearest()]);
          const [[vector = new Float32Array()], findNearest] = await wait(embedding, signal);
          const found = new Set(matches.map(({ skill }) => skill));
          matches = combineMatches(byWords, findNearest(vector, { most: mostCombined, filter, found }));
          if (rerank !== undefined) {
            const candidates = matches.slice(0, Math.max(leastCandidates, 4 * limit));
            matches = addScores(candidates, await wait(rerank(query, candidates.map(describe), { signal }), signal));
          }
        } catch (error) {
          signal?.throwIfAborted();
          onFailure?.(reasonOf(error));
        }
        return matches.slice(0, limit);
      },
    };
  };
}

function describe({ skill }: SkillMatch): string {
  const { name, description } = textOf(skill);
  return `${name}: ${description}`;
}

function addScores(matches: readonly SkillMatch[], scores: readonly number[]): readonly SkillMatch[] {
  const scored = matches.map((match, at) => ({ ...match, score: scores?.[at] ?? Number.NaN }));
  const isWhole = scores?.length === matches.length && scored.every(({ score }) => Number.isFinite(score));
  if (isWhole) return scored.sort(compareMatches);
  throw new Error('The reranker did not return a number for each text.');
}
