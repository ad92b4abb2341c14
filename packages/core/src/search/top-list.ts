// Keeps the best few of many, without sorting the rest.

/** The best items so far. */
export interface TopList {
  /** Decides whether an item of this score may be among the best; cheap, to be asked first. */
  admits(score: number): boolean;
  add(item: number, score: number): void;
  /** The best first. */
  list(): readonly { readonly item: number; readonly score: number }[];
}

/** Creates an empty list. `compare` orders items of equal score. */
export function createTopList(limit: number, compare: (one: number, other: number) => number): TopList {
  const best: { item: number; score: number }[] = [];
  return {
    admits: (score) => limit > 0 && (best.length < limit || score >= (best.at(-1)?.score ?? 0)),
    add(item, score) {
      let at = best.length;
      while (at > 0) {
        const other = best[at - 1];
        if (other === undefined || other.score > score) break;
        if (other.score === score && compare(other.item, item) <= 0) break;
        at--;
      }
      best.splice(at, 0, { item, score });
      if (best.length > limit) best.pop();
    },
    list: () => best,
  };
}
