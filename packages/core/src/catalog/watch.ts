// Keeps a catalog up to date by loading it again: after each change if its sources report changes, otherwise at intervals. An
// unchanged skill costs two calls to the file system, so no watcher of the operating system is needed, with its limits, its
// event storms and its blindness to network drives.

import { longestTimeout } from '../runtime/until-aborted.ts';
import { assertSources } from '../skill/assert-sources.ts';
import { checkAmounts } from '../skill/number-options.ts';
import type { SkillSource } from '../skill/source.ts';
import { type Catalog, type LoadCatalogOptions, loadCatalog } from './catalog.ts';
import { type CatalogChanges, compareCatalogs, createSkillKeys } from './compare.ts';

export interface WatchCatalogOptions extends Omit<LoadCatalogOptions, 'previous'> {
  /** Called after each change with the new snapshot; a promise is awaited. */
  readonly onChange: (catalog: Catalog, changes: CatalogChanges) => void | Promise<void>;
  /** Called with what `onChange` or the function for the sources has thrown; by default it is thrown again, uncaught. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Milliseconds between two checks. Checking never takes more than about a twentieth of the time. Sources that report
   * changes are asked again only after a change, or after a failure. With `Infinity`, sources are asked again only after a
   * change that they report, and by `check`.
   * @default 1000
   */
  readonly interval?: number | undefined;
  /**
   * Milliseconds for which a skill that has become unreadable is assumed to be half written.
   * @default 2000
   */
  readonly patience?: number | undefined;
}

export interface CatalogWatch {
  /** Returns the latest snapshot. */
  readonly catalog: () => Catalog;
  /** Checks now instead of at the next interval. */
  readonly check: () => Promise<void>;
  readonly close: () => void;
}

/** Sources, or a function that finds them again at each check, so that directories may come and go. */
export type SourcesInput = readonly SkillSource[] | (() => readonly SkillSource[] | Promise<readonly SkillSource[]>);

/**
 * Loads a catalog and keeps it up to date until it is closed or the signal aborts; until then a process does not end by
 * itself. A skill that is half written keeps its last good state, and so does a source that fails.
 *
 * @throws {SkillError} `options-invalid` if `interval` or `patience` is negative or not a number
 */
export async function watchCatalog(input: SourcesInput, options: WatchCatalogOptions): Promise<CatalogWatch> {
  const { onChange, onError = rethrow, interval = 1000, patience = 2000, ...loadOptions } = options;
  checkAmounts({ interval, patience });
  if (typeof input !== 'function') assertSources(input);
  const { signal } = loadOptions;
  let catalog = await loadCatalog(await findSources(input), loadOptions);
  /** What was loaded last; newer than `catalog` while a skill seems to be half written. */
  let latest = catalog;
  let waitingSince: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checking: Promise<void> | undefined;
  let isRunning = false;
  /** A source reported a change since the last check began. */
  let isStale = false;
  const closing = new AbortController();
  const fixed = typeof input === 'function' ? [] : input;
  /** All sources report their changes, so polling them is only needed after a failure. */
  const allReport =
    typeof input !== 'function' && fixed.every(({ trusted, watch }) => trusted !== true || watch !== undefined);

  async function reload(): Promise<void> {
    latest = await loadCatalog(await findSources(input), { ...loadOptions, previous: latest });
    if (isHalfWritten(catalog, latest)) {
      waitingSince ??= performance.now();
      if (performance.now() - waitingSince < patience) return;
    }
    waitingSince = undefined;
    const changes = compareCatalogs(catalog, latest);
    catalog = latest;
    const { added, changed, removed } = changes;
    if (!closing.signal.aborted && added.length + changed.length + removed.length > 0) await onChange(catalog, changes);
  }

  function check(): Promise<void> {
    checking ??= reload().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  /** Checks until no further change is reported meanwhile, and decides when to check again. */
  async function checkAndSchedule(): Promise<void> {
    clearTimeout(timer);
    isRunning = true;
    const start = performance.now();
    do {
      isStale = false;
      // A check that is under way may have read what was there before the change.
      await checking?.catch(() => {});
      await check().catch((error: unknown) => {
        if (!closing.signal.aborted) onError(error);
      });
    } while (isStale && !closing.signal.aborted);
    isRunning = false;
    const spent = performance.now() - start;
    schedule(Math.max(waitingSince === undefined ? interval : Math.min(interval, patience) / 4, spent * 20));
  }

  function schedule(pause: number): void {
    const isDue = !allReport || waitingSince !== undefined || hasFailed(latest);
    if (isDue && !closing.signal.aborted) timer = setTimeout(checkAndSchedule, Math.min(pause, longestTimeout));
  }

  function noteChange(): void {
    isStale = true;
    if (!isRunning && !closing.signal.aborted) void checkAndSchedule();
  }

  function close(): void {
    closing.abort();
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
  }

  signal?.addEventListener('abort', close, { once: true });
  for (const source of fixed) if (source.trusted === true) source.watch?.(noteChange, closing.signal);
  schedule(interval);
  return { catalog: () => catalog, check, close };
}

/** Checks whether a source has to be asked again, although it did not report a change. */
function hasFailed({ diagnostics }: Catalog): boolean {
  return diagnostics.some(({ code }) => code === 'source-failed' || code === 'source-kept');
}

/** Checks whether a skill that was good is unreadable now, as in the middle of a write. */
function isHalfWritten(before: Catalog, after: Catalog): boolean {
  const good = new Set(before.skills.map(createSkillKeys(before)));
  const keyAfter = createSkillKeys(after);
  return after.rejected.some((rejected) => good.has(keyAfter(rejected)));
}

async function findSources(input: SourcesInput): Promise<readonly SkillSource[]> {
  return typeof input === 'function' ? input() : input;
}

function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
