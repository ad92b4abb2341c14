// What a layer writes into the stamps of its entries, so that an unchanged skill need not be read to be known again.

import type { KnownEntry, SkillEntry } from '../skill/source.ts';

/** What the source of a layer gave before, and what the layer noted of it. */
export interface OpenedEntry extends KnownEntry {
  readonly notes: readonly string[];
}

/** Gives an entry the stamp of a layer: that of its source, and what the layer knows or has made of the entry. */
export function sealEntry(entry: SkillEntry, layer: string, ...notes: readonly string[]): SkillEntry {
  return entry.stamp === undefined ? entry : { ...entry, stamp: JSON.stringify([layer, entry.stamp, ...notes]) };
}

/** Opens the stamps that this layer has given; those of other layers and of bare sources are left out. */
export function openEntries(
  known: ReadonlyMap<string, KnownEntry> | undefined,
  layer: string,
): Map<string, OpenedEntry> {
  const opened = new Map<string, OpenedEntry>();
  for (const [directory, { stamp, identity }] of known ?? []) {
    const [wanted, inner, ...notes] = partsOf(stamp);
    if (wanted === layer && inner !== undefined) opened.set(directory, open(inner, identity, notes));
  }
  return opened;
}

/** Remembers an entry that a layer leaves out, where its source can tell without reading whether it changes. */
export function noteLeftOut(leftOut: Map<string, OpenedEntry>, entry: SkillEntry, ...notes: readonly string[]): void {
  const { directory, stamp, identity } = entry;
  if (stamp !== undefined) leftOut.set(directory, open(stamp, identity, notes));
}

function open(stamp: string, identity: string | undefined, notes: readonly string[]): OpenedEntry {
  return { stamp, notes, ...(identity === undefined ? {} : { identity }) };
}

function partsOf(stamp: string | undefined): readonly string[] {
  if (stamp?.startsWith('["') !== true) return [];
  try {
    const parts: unknown = JSON.parse(stamp);
    return Array.isArray(parts) ? parts.map(String) : [];
  } catch {
    return [];
  }
}
