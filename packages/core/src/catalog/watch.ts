// Keeps a catalog right while files change, by loading it again and again: what did not change costs two looks a skill,
// so no watcher of the operating system is needed, with its limits, its storms and its blindness for network drives.

import type { SkillSource } from '../skill/source.ts';
import { type Catalog, type LoadCatalogOptions, loadCatalog } from './catalog.ts';
import { type CatalogChanges, compareCatalogs, skillKey } from './compare.ts';

export interface WatchCatalogOptions extends Omit<LoadCatalogOptions, 'previous'> {
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
   * Milliseconds for which a skill that cannot be understood any more is taken for one that is being written.
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
 * itself. A skill that is half written keeps its last good state, and so does a source that fails.
 */
export async function watchCatalog(input: SourcesInput, options: WatchCatalogOptions): Promise<CatalogWatch> {
  const { onChange, onError = rethrow, interval = 1000, patience = 2000, ...loadOptions } = options;
  const { signal } = loadOptions;
  let catalog = await loadCatalog(await findSources(input), loadOptions);
  /** What was loaded last; ahead of `catalog` while a skill seems to be half written. */
  let latest = catalog;
  let waitingSince: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    latest = await loadCatalog(await findSources(input), { ...loadOptions, previous: latest });
    if (isHalfWritten(catalog, latest)) {
      waitingSince ??= performance.now();
      if (performance.now() - waitingSince < patience) return;
    }
    waitingSince = undefined;
    const changes = compareCatalogs(catalog, latest);
    catalog = latest;
    const { added, changed, removed } = changes;
    if (!closed && added.length + changed.length + removed.length > 0) await onChange(catalog, changes);
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
    signal?.removeEventListener('abort', close);
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
