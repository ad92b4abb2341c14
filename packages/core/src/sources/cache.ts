// A layer that remembers what a slow source said: for servers, databases and packages far away.

import { createDiagnostic, type SkillProfile } from '../diagnostics/diagnostic.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf } from '../skill/error.ts';
import type { ListOptions, SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';

export interface CacheSourceOptions {
  /**
   * Milliseconds for which a listing is good. After that it is asked for again, and kept for as long again when the
   * source then fails, with a diagnostic that says so. Files are good for as long, too, but not after a new listing.
   * @default 300000
   */
  readonly maxAge?: number | undefined;
  /**
   * Bytes of files that are kept; those that were not read for the longest time go first.
   * @default 16 MiB
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Creates a source that asks another one only when it has to, once for each profile. Callers who ask at the same time share
 * one answer.
 */
export function cacheSource(source: SkillSource, options: CacheSourceOptions = {}): SkillSource {
  const { maxAge = 5 * 60_000, maxBytes = 16 * 1024 * 1024 } = options;
  const files = createFileCache(maxBytes, maxAge);
  const goods = new Map<SkillProfile, { readonly listing: SkillListing; readonly until: number }>();
  const asking = new Map<SkillProfile, Promise<SkillListing>>();

  async function ask(profile: SkillProfile): Promise<SkillListing> {
    const good = goods.get(profile);
    try {
      const known = new Map(good?.listing.entries.map((entry) => [entry.directory, entry]));
      const listing = fillIn(await source.list({ known, profile }), known);
      files.clear();
      goods.set(profile, { listing, until: performance.now() + maxAge });
      return listing;
    } catch (error) {
      if (good === undefined) throw error;
      const reason = reasonOf(error);
      const kept = createDiagnostic('source-kept', { source: source.id, location: source.id }, { reason });
      const { entries, diagnostics } = good.listing;
      goods.set(profile, { ...good, until: performance.now() + maxAge });
      return { entries, diagnostics: [...diagnostics, kept] };
    }
  }

  return {
    id: source.id,
    scope: source.scope,
    trusted: source.trusted,
    async list({ signal, known, profile = 'lenient' } = {}) {
      signal?.throwIfAborted();
      const good = goods.get(profile);
      if (good !== undefined && performance.now() < good.until) return passOver(good.listing, known);
      const asked = asking.get(profile) ?? ask(profile).finally(() => asking.delete(profile));
      asking.set(profile, asked);
      return passOver(await untilAborted(asked, signal), known);
    },
    listFiles: (skill, listOptions) => source.listFiles(skill, listOptions),
    async readFile(skill, path, readOptions = {}) {
      readOptions.signal?.throwIfAborted();
      const { length = null, fromListing = false } = readOptions;
      const { identity = skill.directory, profile = 'lenient' } = skill;
      const key = JSON.stringify([identity, profile, path, length, fromListing]);
      const known = files.get(key);
      if (known !== undefined && (readOptions.maxBytes === undefined || known.length <= readOptions.maxBytes)) {
        return known.slice();
      }
      const { generation } = files;
      const content = await source.readFile(skill, path, readOptions);
      // What was asked for before a new listing may be what the file was then.
      if (files.generation === generation) files.set(key, content.slice());
      return content;
    },
  };
}

/** Puts what is kept of them in the place of entries that have not changed. */
function fillIn({ entries, diagnostics }: SkillListing, kept: ReadonlyMap<string, SkillEntry>): SkillListing {
  const filled = entries.map((entry) => (entry.unchanged === true ? (kept.get(entry.directory) ?? entry) : entry));
  return { entries: filled, diagnostics };
}

const nothing: Uint8Array = new Uint8Array(0);

/** Leaves out the heads that whoever asks knows already. */
function passOver(listing: SkillListing, known: ListOptions['known']): SkillListing {
  if (known === undefined) return listing;
  const entries = listing.entries.map((entry): SkillEntry => {
    const before = known.get(entry.directory);
    const isKnown = before?.stamp !== undefined && before.stamp === entry.stamp && before.identity === entry.identity;
    return isKnown ? { ...entry, head: nothing, unchanged: true } : entry;
  });
  return { entries, diagnostics: listing.diagnostics };
}

interface FileCache {
  /** Another one after each clearing. */
  readonly generation: number;
  readonly get: (key: string) => Uint8Array | undefined;
  readonly set: (key: string, content: Uint8Array) => void;
  readonly clear: () => void;
}

/** Keeps files up to a number of bytes; a `Map` iterates in the order of insertion, so the oldest is the first. */
function createFileCache(maxBytes: number, maxAge: number): FileCache {
  const kept = new Map<string, { readonly content: Uint8Array; readonly until: number }>();
  let bytes = 0;
  let generation = 0;
  function drop(key: string): void {
    bytes -= kept.get(key)?.content.length ?? 0;
    kept.delete(key);
  }
  return {
    get generation() {
      return generation;
    },
    get(key) {
      const file = kept.get(key);
      if (file === undefined) return undefined;
      if (performance.now() >= file.until) {
        drop(key);
        return undefined;
      }
      kept.delete(key);
      kept.set(key, file);
      return file.content;
    },
    set(key, content) {
      drop(key);
      if (content.length > maxBytes) return;
      kept.set(key, { content, until: performance.now() + maxAge });
      bytes += content.length;
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    clear() {
      generation += 1;
      kept.clear();
      bytes = 0;
    },
  };
}
