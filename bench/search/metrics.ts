// How good the answers of an engine are, and how long they take.

import type { Query } from './sets.ts';

export interface Figures {
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly ndcg10: number;
  readonly mrr: number;
  readonly zero: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

/** Returns the ids of the best matches, at most ten. */
export type Search = (query: string) => readonly string[] | Promise<readonly string[]>;

/** Runs all queries, each of which has one right answer. */
export async function measure(search: Search, queries: readonly Query[]): Promise<Figures> {
  const times: number[] = [];
  const ranks: number[] = [];
  let zero = 0;
  for (const { query, relevant } of queries) {
    const start = performance.now();
    const found = await search(query);
    times.push(performance.now() - start);
    if (found.length === 0) zero += 1;
    ranks.push(found.findIndex((id) => relevant.includes(id)));
  }
  const count = Math.max(1, queries.length);
  const mean = (gain: (rank: number) => number): number =>
    ranks.reduce((sum, rank) => sum + (rank < 0 || rank > 9 ? 0 : gain(rank)), 0) / count;
  times.sort((a, b) => a - b);
  const percentile = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    recall1: mean((rank) => (rank < 1 ? 1 : 0)),
    recall5: mean((rank) => (rank < 5 ? 1 : 0)),
    recall10: mean(() => 1),
    ndcg10: mean((rank) => 1 / Math.log2(rank + 2)),
    mrr: mean((rank) => 1 / (rank + 1)),
    zero: zero / count,
    p50: percentile(0.5),
    p95: percentile(0.95),
  };
}
