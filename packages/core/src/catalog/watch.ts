// Keeps a catalog up to date by loading it again: after each change if its sources report changes, otherwise at intervals. An
// unchanged skill costs only two calls to the file system, so Skillful does without the watcher of the operating system, which
// has limits, event storms and no view of network drives.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { longestTimeout } from '../runtime/until-aborted.ts';
import { assertSources } from '../skill/assert-sources.ts';
import { checkAmounts, checkFunction, checkKeys } from '../skill/options.ts';
import type { SkillSource } from '../skill/source.ts';
import {
  type Catalog,
  type LoadCatalogOptions,
  loadCatalog,
  loadOptionNames,
  reportsSame,
  snapshotsOf,
} from './catalog.ts';
import { type CatalogChanges, compareCatalogs, createSkillKeys } from './compare.ts';

export interface WatchCatalogOptions extends Omit<LoadCatalogOptions, 'previous'> {
  /**
   * Called with the new snapshot after each change of the skills or of the diagnostics. A promise is awaited, so it must not wait
   * for `check`, which waits for it.
   */
  readonly onChange?: ((catalog: Catalog, changes: CatalogChanges) => unknown) | undefined;
  /**
   * Called with any error from `onChange` or from the function that finds the sources. By default, the error is thrown uncaught.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Milliseconds between two checks; longer if needed, so that checking takes at most about 5% of the time. Sources that report
   * changes are checked only after a change or a failure. With `Infinity`, sources are checked only after a change that they
   * report, and by `check`.
   * @default 1000
   */
  readonly interval?: number | undefined;
  /**
   * Milliseconds for which a skill that became unreadable, or a directory of skills that went away, is assumed to come back.
   * @default 2000
   */
  readonly patience?: number | undefined;
}

const optionNames: readonly string[] = [
  ...['onChange', 'onError', 'interval', 'patience'],
  ...loadOptionNames.filter((name) => name !== 'previous'),
];

/** A catalog that is kept up to date. */
export interface CatalogWatch {
  /** Returns the latest snapshot. */
  readonly catalog: () => Catalog;
  /**
   * Checks at once, without waiting for the next interval. What seems to be half written or away counts only after `patience`.
   * Rejects with an error that `onError` would get otherwise.
   */
  readonly check: () => Promise<void>;
  readonly close: () => void;
}

/** Sources, or a function that finds them for each check, so that directories may appear and disappear. */
export type SourcesInput = readonly SkillSource[] | (() => readonly SkillSource[] | Promise<readonly SkillSource[]>);

/**
 * Loads a catalog and keeps it up to date until it is closed or the signal aborts; until then the process does not exit by
 * itself. A skill that is half written, and a source that fails, keep their last good state.
 *
 * @throws {SkillError} `options-invalid` if an option is unknown, `onChange` or `onError` is no function, or `interval` or `patience` is negative or not a number
 */
export async function watchCatalog(input: SourcesInput, options: WatchCatalogOptions = {}): Promise<CatalogWatch> {
  checkKeys('options', options, optionNames);
  const { onChange = () => {}, onError = rethrow, interval = 1000, patience = 2000, ...loadOptions } = options;
  checkFunction('onChange', onChange);
  checkFunction('onError', onError);
  checkAmounts({ interval, patience });
  if (typeof input !== 'function') assertSources(input);
  const { signal } = loadOptions;
  let catalog = await loadCatalog(await findSources(input), loadOptions);
  // An aborted signal would not call the listener below.
  signal?.throwIfAborted();
  /** The latest result; newer than `catalog` while a skill seems to be half written. */
  let latest = catalog;
  /** Since when a skill seems to be half written. */
  let waitingSince: number | undefined;
  /** The check that is running. */
  let checking: Promise<void> | undefined;
  /** How many milliseconds the last check took, without `onChange`. */
  let spent = 0;
  /** The next check. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the watch itself is checking; `outdated` if a source has reported a change since, until it checks again. */
  let state: 'idle' | 'checking' | 'outdated' = 'idle';
  const closing = new AbortController();
  const fixed = typeof input === 'function' ? [] : input;
  /** If all sources report their changes, polling is needed only after a failure. */
  const allReport =
    typeof input !== 'function' && fixed.every(({ trusted, watch }) => trusted !== true || watch !== undefined);

  async function reload(): Promise<void> {
    const start = performance.now();
    try {
      latest = await loadCatalog(await findSources(input), { ...loadOptions, previous: latest });
    } finally {
      spent = performance.now() - start;
    }
    if (isHalfWritten(catalog, latest)) {
      waitingSince ??= performance.now();
      if (performance.now() - waitingSince < patience) return;
    }
    waitingSince = undefined;
    const changes = compareCatalogs(catalog, latest);
    const { added, changed, removed } = changes;
    const isChanged = added.length + changed.length + removed.length > 0 || !reportsSame(catalog, latest);
    catalog = latest;
    if (isChanged && !closing.signal.aborted) await onChange(catalog, changes);
  }

  function check(): Promise<void> {
    checking ??= reload().finally(() => {
      checking = undefined;
      if (state === 'idle' && waitingSince !== undefined) schedule();
    });
    return checking;
  }

  async function checkAndSchedule(): Promise<void> {
    clearTimeout(timer);
    state = 'checking';
    // A check that is still running may have read the state before the change.
    await checking?.catch(() => {});
    await check().catch((error: unknown) => {
      // Not at once, because what it throws must not end the watch.
      if (!closing.signal.aborted) queueMicrotask(() => onError(error));
    });
    if (state === 'checking') state = 'idle';
    schedule();
  }

  /** Schedules the next check, in place of one that is scheduled already. */
  function schedule(): void {
    clearTimeout(timer);
    const next = nextCheck();
    if (next !== undefined && !closing.signal.aborted)
      timer = setTimeout(checkAndSchedule, Math.min(next, longestTimeout));
  }

  /** Returns the milliseconds until the next check; none is due if all sources report their changes and did not fail. */
  function nextCheck(): number | undefined {
    const rest = spent * 20;
    // Not at once, because sources may report changes without end.
    if (state === 'outdated') return Math.min(interval, rest);
    if (waitingSince !== undefined) return Math.max(Math.min(interval, patience) / 4, rest);
    return allReport && !hasFailed(latest) ? undefined : Math.max(interval, rest);
  }

  function noteChange(): void {
    if (state !== 'idle') state = 'outdated';
    else if (!closing.signal.aborted) void checkAndSchedule();
  }

  function close(): void {
    closing.abort();
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
  }

  signal?.addEventListener('abort', close, { once: true });
  for (const source of fixed) if (source.trusted === true) source.watch?.(noteChange, closing.signal);
  schedule();
  return { catalog: () => catalog, check, close };
}

/** Checks whether a source failed, so that it must be checked again without reporting a change. */
function hasFailed({ diagnostics }: Catalog): boolean {
  return diagnostics.some(({ code }) => code === 'source-failed' || code === 'source-kept');
}

/**
 * Checks whether a skill that was fine is unreadable now, as it would be in the middle of a write, or while a store is busy, or
 * whether all skills of a source are gone with their directory, as while another one takes its place.
 */
function isHalfWritten(before: Catalog, after: Catalog): boolean {
  const [keyBefore, keyAfter] = [createSkillKeys(before), createSkillKeys(after)];
  const good = new Set(before.skills.map(keyBefore));
  if (after.rejected.some((rejected) => good.has(keyAfter(rejected)))) return true;
  const emptied = snapshotsOf(after).filter(
    ({ entries, diagnostics }) => entries.size === 0 && diagnostics.some(isAway),
  );
  const away = new Set(emptied.map(({ source }) => keyAfter({ source, directory: '' })));
  if (before.skills.some(({ source }) => away.has(keyBefore({ source, directory: '' })))) return true;
  const unread = after.diagnostics.filter(({ code }) => code === 'skill-file-unreadable');
  return unread.some(({ location }) => before.skills.some((skill) => skill.location === location));
}

function isAway({ code }: Diagnostic): boolean {
  return code === 'root-missing' || code === 'root-unreadable' || code === 'skill-broken-link';
}

async function findSources(input: SourcesInput): Promise<readonly SkillSource[]> {
  return typeof input === 'function' ? input() : input;
}

function rethrow(error: unknown): never {
  throw error;
}
