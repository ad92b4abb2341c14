// What has changed between two listings of a source: the one rule for it, so that nothing is read twice.

import type { KnownEntry, ListOptions, SkillDirectory, SkillEntry, SkillListing, SkillSource } from './source.ts';

/** What is remembered of a listing: what it had, and what a layer left out of it. */
export interface KnownListing {
  readonly entries: ReadonlyMap<string, KnownEntry>;
  readonly omitted?: ReadonlyMap<string, KnownEntry> | undefined;
}

/** The key of an entry among the known ones: its directory, which two sources of an overlay may both have. */
export function keyOf({ origin, directory }: Pick<SkillDirectory, 'origin' | 'directory'>): string {
  return origin === undefined ? directory : origin + directory;
}

/** Checks whether an entry is as it was; one without a stamp never is. */
export function isUnchanged({ stamp, identity }: KnownEntry, known: KnownEntry | undefined): boolean {
  return stamp !== undefined && stamp === known?.stamp && identity === known.identity;
}

/** Checks whether a source left the head of an entry out, because it was asked with the entry's stamp. */
export function isHeadless({ head, bytes }: SkillEntry): boolean {
  return head.length === 0 && bytes > 0;
}

/** Lists a source again: the heads of known entries that have not changed are left out, those of all others are there. */
export async function listAgain(
  source: SkillSource,
  options: ListOptions,
  { entries, omitted = new Map() }: KnownListing,
): Promise<SkillListing> {
  if (omitted.size === 0) return source.list({ ...options, known: entries });
  const listing = await source.list({ ...options, known: new Map([...entries, ...omitted]) });
  // What a layer left out last time was never seen here. If it is not left out now, its head is needed.
  const isMissing = (entry: SkillEntry): boolean => isHeadless(entry) && isUnchanged(entry, omitted.get(keyOf(entry)));
  return listing.entries.some(isMissing) ? source.list({ ...options, known: entries }) : listing;
}
