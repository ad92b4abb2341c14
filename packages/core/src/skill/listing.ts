// Decides which entries changed between two listings of a source, so that unchanged ones are not read again.

import type { KnownEntry, ListOptions, SkillDirectory, SkillEntry, SkillListing, SkillSource } from './source.ts';

/** What is remembered of a listing: its entries, and those that a layer left out. */
export interface KnownListing {
  readonly entries: ReadonlyMap<string, KnownEntry>;
  readonly omitted?: ReadonlyMap<string, KnownEntry> | undefined;
}

/**
 * Returns the key of an entry: its directory, preceded by its source in an overlay, where two sources may have the same
 * directory.
 */
export function keyOf({ origin, directory }: Pick<SkillDirectory, 'origin' | 'directory'>): string {
  return origin === undefined ? directory : origin + directory;
}

/** Checks whether an entry is unchanged. An entry without a stamp always counts as changed. */
export function isUnchanged({ stamp, identity }: KnownEntry, known: KnownEntry | undefined): boolean {
  return stamp !== undefined && stamp === known?.stamp && identity === known.identity;
}

/** Checks whether a source left out the head of an entry because the caller already knew its stamp. */
export function isHeadless({ head, bytes }: SkillEntry): boolean {
  return head.length === 0 && bytes > 0;
}

/** Lists a source again. Only unchanged known entries come without their heads. */
export async function listAgain(
  source: SkillSource,
  options: ListOptions,
  { entries, omitted = new Map() }: KnownListing,
): Promise<SkillListing> {
  if (omitted.size === 0) return source.list({ ...options, known: entries });
  const listing = await source.list({ ...options, known: new Map([...entries, ...omitted]) });
  // The caller never saw what a layer left out last time, so it needs the head of any such entry that is included now.
  const isMissing = (entry: SkillEntry): boolean => isHeadless(entry) && isUnchanged(entry, omitted.get(keyOf(entry)));
  return listing.entries.some(isMissing) ? source.list({ ...options, known: entries }) : listing;
}
