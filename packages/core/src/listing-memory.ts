// Remembers what sources listed, to tell at the next look whether anything is different, without keeping what was read.

import { skillKey } from './compare.ts';
import type { KnownEntry, SkillEntry, SkillListing, SkillSource } from './source.ts';

/** What a look found to be different from the one before. */
export interface ListingChanges {
  readonly any: boolean;
  /** Keys of the skills that were there before and whose files changed. */
  readonly touched: readonly string[];
}

export interface ListingMemory {
  /** Lists the trusted sources. A source that fails is different from one that does not, and nothing else. */
  readonly look: (sources: readonly SkillSource[], signal: AbortSignal | undefined) => Promise<ListingChanges>;
}

interface Remembered extends KnownEntry {
  /** Of the head and the sidecar. */
  readonly hash: number;
}

interface RememberedSource {
  readonly entries: ReadonlyMap<string, Remembered>;
  readonly diagnostics: string;
}

export function createListingMemory(): ListingMemory {
  const memory = new Map<string, RememberedSource>();

  async function lookAt(source: SkillSource, signal: AbortSignal | undefined): Promise<ListingChanges> {
    const before = memory.get(source.id);
    let listing: SkillListing;
    try {
      listing = await source.list({ signal, known: before?.entries });
    } catch (error) {
      signal?.throwIfAborted();
      const failure = `failed: ${String(error)}`;
      memory.set(source.id, { entries: before?.entries ?? new Map(), diagnostics: failure });
      return { any: before?.diagnostics !== failure, touched: [] };
    }
    const entries = new Map<string, Remembered>();
    const touched: string[] = [];
    let any = false;
    for (const entry of listing.entries) {
      const old = before?.entries.get(entry.directory);
      const now = remember(entry, old);
      entries.set(entry.directory, now);
      if (old === undefined) any = true;
      else if (isDifferent(old, now)) touched.push(skillKey({ source, directory: entry.directory }));
    }
    const diagnostics = JSON.stringify(listing.diagnostics);
    memory.set(source.id, { entries, diagnostics });
    const gone = before !== undefined && [...before.entries.keys()].some((directory) => !entries.has(directory));
    return { any: any || gone || touched.length > 0 || before?.diagnostics !== diagnostics, touched };
  }

  return {
    async look(sources, signal) {
      const trusted = sources.filter((source) => source.trusted);
      const changes = await Promise.all(trusted.map((source) => lookAt(source, signal)));
      return { any: changes.some(({ any }) => any), touched: changes.flatMap(({ touched }) => touched) };
    },
  };
}

function remember(entry: SkillEntry, old: Remembered | undefined): Remembered {
  const { stamp, identity } = entry;
  const hash = entry.unchanged === true && old !== undefined ? old.hash : hashOf(entry);
  return { hash, ...(stamp === undefined ? {} : { stamp }), ...(identity === undefined ? {} : { identity }) };
}

/** A stamp that comes late, for a file that was just written, is no change by itself. */
function isDifferent(old: Remembered, now: Remembered): boolean {
  const byStamp = old.stamp !== undefined && now.stamp !== undefined && old.stamp !== now.stamp;
  return byStamp || old.hash !== now.hash || old.identity !== now.identity;
}

/** FNV-1a over what was read: it tells edits apart, it protects nothing. */
function hashOf({ head, sidecar, bytes }: SkillEntry): number {
  let hash = 0x811c9dc5 ^ bytes;
  for (const content of [head, sidecar]) {
    for (const byte of content ?? []) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}
