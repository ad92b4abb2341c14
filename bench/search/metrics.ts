// How good the answers of an engine are, and how long they take beside those of another engine.

import type { Query } from './sets.ts';

export interface Figures {
  readonly queries: number;
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly ndcg10: number;
  readonly mrr: number;
  /** Share of the queries that find nothing. */
  readonly zero: number;
  /** By how much recall@5 is ahead of that of the other engine on the same queries, and the standard error of that. */
  readonly ahead: { readonly mean: number; readonly error: number };
  /** Milliseconds of each query. */
  readonly times: readonly number[];
  /** Milliseconds that the other engine takes, each at the same moment. */
  readonly otherTimes: readonly number[];
}

/** Returns the ids of the best matches, at most ten. */
export type Search = (query: string) => readonly string[] | Promise<readonly string[]>;

/** Runs all queries, each of which has one right answer, here and in another engine by turns. */
export async function measure(search: Search, other: Search, queries: readonly Query[]): Promise<Figures> {
  const times: number[] = [];
  const otherTimes: number[] = [];
  const ranks: number[] = [];
  const leads: number[] = [];
  let zero = 0;
  for (const { query, relevant } of queries) {
    const start = performance.now();
    const others = await other(query);
    const middle = performance.now();
    const found = await search(query);
    times.push(performance.now() - middle);
    otherTimes.push(middle - start);
    if (found.length === 0) zero += 1;
    const rankIn = (ids: readonly string[]): number => ids.findIndex((id) => relevant.includes(id));
    ranks.push(rankIn(found));
    leads.push(isAmongFive(rankIn(found)) - isAmongFive(rankIn(others)));
  }
  const count = Math.max(1, queries.length);
  const mean = (gain: (rank: number) => number): number =>
    ranks.reduce((sum, rank) => sum + (rank < 0 || rank > 9 ? 0 : gain(rank)), 0) / count;
  return {
    queries: queries.length,
    recall1: mean((rank) => (rank < 1 ? 1 : 0)),
    recall5: mean(isAmongFive),
    recall10: mean(() => 1),
    ndcg10: mean((rank) => 1 / Math.log2(rank + 2)),
    mrr: mean((rank) => 1 / (rank + 1)),
    zero: zero / count,
    ahead: meanAndError(leads),
    times,
    otherTimes,
  };
}

function isAmongFive(rank: number): number {
  return rank >= 0 && rank < 5 ? 1 : 0;
}

function meanAndError(values: readonly number[]): Figures['ahead'] {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { mean, error: Math.sqrt(variance / count) };
}

/** Returns the time below which that share of all times is. */
export function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
