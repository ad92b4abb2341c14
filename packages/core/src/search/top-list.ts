// Keeps the best few of many items, without sorting the rest.

interface Entry {
  readonly item: number;
  readonly score: number;
}

/** The best items so far. */
export interface TopList {
  /** Checks cheaply whether an item of this score may be among the best. Call it before `add`. */
  admits(score: number): boolean;
  add(item: number, score: number): void;
  /** The best first. */
  list(): readonly Entry[];
}

/** Creates an empty list. `compare` orders items of equal score. A long list costs little more per item than a short one. */
export function createTopList(limit: number, compare: (one: number, other: number) => number): TopList {
  const order = (one: Entry, other: Entry): number => other.score - one.score || compare(one.item, other.item);
  let best: Entry[] = [];
  /** The last of the best items, once there are enough. */
  let last: Entry | undefined;

  function cut(): void {
    best = best.sort(order).slice(0, limit);
    if (best.length >= limit) last = best.at(-1);
  }

  return {
    admits: (score) => limit > 0 && (last === undefined || score >= last.score),
    add(item, score) {
      const entry = { item, score };
      if (last !== undefined && order(last, entry) <= 0) return;
      best.push(entry);
      // Sorts only now and then, because inserting each item into a long list would take time in proportion to its length.
      if (best.length >= 2 * limit) cut();
    },
    list() {
      cut();
      return best;
    },
  };
}
