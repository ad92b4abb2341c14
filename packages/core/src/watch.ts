// Keeps a catalog right while files change, by asking the sources again and again: two looks at each known skill are so
// cheap that no watcher of the operating system is needed, with its limits, its network file systems and its storms.

import { type Catalog, type LoadCatalogOptions, loadCatalog } from './catalog.ts';
import { type CatalogChanges, compareCatalogs, skillKey } from './compare.ts';
import { createListingMemory, type ListingMemory } from './listing-memory.ts';
import type { SkillSource } from './source.ts';

export interface WatchCatalogOptions extends LoadCatalogOptions {
  /** Called after each change with the new snapshot; what it returns is waited for. */
  readonly onChange: (catalog: Catalog, changes: CatalogChanges) => void | Promise<void>;
  /** Called with what went wrong in `onChange` or in the function that gives the sources; without it that is thrown. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Milliseconds between two looks. Never more than about a twentieth of the time is spent looking.
   * @default 1000
   */
  readonly interval?: number | undefined;
  /**
   * Milliseconds for which a skill that cannot be read any more is taken for one that is being written.
   * @default 2000
   */
  readonly patience?: number | undefined;
}

export interface CatalogWatch {
  /** Gives the latest snapshot. */
  readonly catalog: () => Catalog;
  /** Looks now instead of at the next interval. */
  readonly check: () => Promise<void>;
  readonly close: () => void;
}

/** Sources, or a function that finds them anew at each look, so that directories may come and go. */
export type SourcesInput = readonly SkillSource[] | (() => readonly SkillSource[] | Promise<readonly SkillSource[]>);

/**
 * Loads a catalog and keeps it up to date until it is closed or the signal aborts; until then a process does not end by
 * itself. A change is told once all looks like it is done: a skill that is half written keeps its last good state.
 */
export async function watchCatalog(input: SourcesInput, options: WatchCatalogOptions): Promise<CatalogWatch> {
  const { onChange, onError = rethrow, interval = 1000, patience = 2000, signal } = options;
  let sources = await findSources(input);
  let memory: ListingMemory = createListingMemory();
  await memory.look(sources, signal);
  let catalog = await loadCatalog(sources, options);
  const touched = new Set<string>();
  let waitingSince: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const found = await findSources(input);
    const sameSources =
      found.map(({ id, trusted }) => `${trusted} ${id}`).join('\n') ===
      sources.map(({ id, trusted }) => `${trusted} ${id}`).join('\n');
    sources = found;
    if (!sameSources) memory = createListingMemory();
    const changes = await memory.look(sources, signal);
    for (const key of changes.touched) touched.add(key);
    if (sameSources && !changes.any && waitingSince === undefined) return;
    const next = await loadCatalog(sources, options);
    if (isHalfWritten(catalog, next)) {
      waitingSince ??= performance.now();
      if (performance.now() - waitingSince < patience) return;
    }
    waitingSince = undefined;
    const difference = compareCatalogs(catalog, next, (skill) => sameSources && touched.has(skillKey(skill)));
    touched.clear();
    catalog = next;
    if (!closed && Object.values(difference).some((skills) => skills.length > 0)) await onChange(next, difference);
  }

  function check(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function schedule(pause: number): void {
    timer = setTimeout(async () => {
      const start = performance.now();
      try {
        await check();
      } catch (error) {
        if (!closed) onError(error);
      }
      const spent = performance.now() - start;
      if (!closed) schedule(Math.max(waitingSince === undefined ? interval : interval / 4, spent * 20));
    }, pause);
  }

  function close(): void {
    closed = true;
    clearTimeout(timer);
  }

  signal?.addEventListener('abort', close, { once: true });
  schedule(interval);
  return { catalog: () => catalog, check, close };
}

/** Tells whether a skill that was good cannot be understood now, as in the middle of a write. */
function isHalfWritten(before: Catalog, after: Catalog): boolean {
  const good = new Set(before.skills.map(skillKey));
  return after.rejected.some((rejected) => good.has(skillKey(rejected)));
}

async function findSources(input: SourcesInput): Promise<readonly SkillSource[]> {
  return typeof input === 'function' ? input() : input;
}

function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
