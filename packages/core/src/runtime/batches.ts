// Does slow work for many items at the same time, but not for all of them, because what it reads takes memory.

/** Items at once. */
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
