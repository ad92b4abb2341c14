// Does slow work for several items at a time. All at once could take too much memory.

/** Limit for items at the same time. */
const batch = 16;

/** Returns the results in the order of the items. Rejects as soon as one does. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += batch)
    results.push(...(await Promise.all(items.slice(at, at + batch).map(work))));
  return results;
}
