// Groups items, as `Map.groupBy` does, which Node 20 lacks.

import { getOrCreate } from './get-or-create.ts';

/** Groups items by a key. The groups, and the items in each, keep their order. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) getOrCreate(groups, keyOf(item), (): Item[] => []).push(item);
  return groups;
}
