// A layer that caches what a slow source returns, such as a server or a database.

import type { SkillProfile } from '../diagnostics/diagnostic.ts';
import { shareHead } from '../format/entry.ts';
import { inTime, untilAborted } from '../runtime/until-aborted.ts';
import { failureOf, isHeadless, keyOf, listAgain, listSource } from '../skill/listing.ts';
import { checkAmounts, checkCounts, checkKeys } from '../skill/options.ts';
import type { ListOptions, SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';
import { createCachedFiles } from './cached-files.ts';
import { deriveSource, watchOf } from './layer.ts';

export interface CacheSourceOptions {
  /**
   * Milliseconds for which a listing is valid. After that the source is asked again; if it fails, the listing is kept for the
   * same time again, with the diagnostic `source-kept`. Files and file lists are valid for the same time, or until a new listing. If
   * the source then fails, they are valid for the same time again. If the cache is watched, a change that the source reports
   * invalidates the listing at once.
   * @default 300,000
   */
  readonly maxAge?: number | undefined;
  /**
   * Limit for the bytes of cached files and file lists; the least recently used ones are dropped first.
   * @default 16 MiB
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Creates a source that caches the listings and files of another one, separately for each profile. Simultaneous callers share one
 * request, and catalogs loaded from the cache share parsed skills.
 *
 * @throws {SkillError} `options-invalid` if `maxAge` or `maxBytes` is negative or not a number, or an option is unknown
 */
export function cacheSource(source: SkillSource, options: CacheSourceOptions = {}): SkillSource {
  checkKeys('options', options, ['maxAge', 'maxBytes']);
  const { maxAge = 5 * 60_000, maxBytes = 16 * 1024 * 1024 } = options;
  checkAmounts({ maxAge });
  checkCounts({ maxBytes });
  const files = createCachedFiles(source, { maxBytes, maxAge });
  const goods = new Map<SkillProfile, Good>();
  const asked = new Map<SkillProfile, Asked>();
  let changes = 0;
  let asks = 0;

  async function ask(profile: SkillProfile): Promise<SkillListing> {
    const good = goods.get(profile);
    const heard = changes;
    asks += 1;
    const order = asks;
    try {
      const listing = await (good === undefined
        ? listSource(source, { profile })
        : renew(source, good.listing, profile));
      listing.entries.forEach(shareHead);
      // A later request may have been answered before this one.
      if (order > (goods.get(profile)?.order ?? 0)) {
        files.expire();
        goods.set(profile, { listing, given: listing, until: performance.now() + maxAge, heard, order });
      }
      return listing;
    } catch (error) {
      if (good === undefined) throw error;
      const { entries, diagnostics } = good.listing;
      const given = { entries, diagnostics: [...diagnostics, failureOf('source-kept', source, error)] };
      if (goods.get(profile) === good) goods.set(profile, { ...good, given, until: performance.now() + maxAge, heard });
      return given;
    }
  }

  /** Returns a pending request, unless it may hang: none of its callers waits any more, or it has taken too long. */
  function findAsked(profile: SkillProfile): Asked | undefined {
    const last = asked.get(profile);
    return last !== undefined && last.waiting > 0 && timeLeft(last) > 0 ? last : undefined;
  }

  async function wait(request: Asked, signal: AbortSignal | undefined): Promise<SkillListing> {
    request.waiting += 1;
    try {
      return await untilAborted(request.answer, signal);
    } finally {
      request.waiting -= 1;
    }
  }

  /**
   * Returns a valid listing, or waits for a request. Shares the requests of others: a second one if the first one failed, and
   * further ones as long as they only take too long. `mayFail` is false once a shared request has failed.
   */
  async function list({ signal, profile = 'lenient' }: ListOptions, mayFail = true): Promise<SkillListing> {
    signal?.throwIfAborted();
    const good = goods.get(profile);
    if (good?.heard === changes && performance.now() < good.until) return good.given;
    const shared = findAsked(profile);
    if (shared === undefined) {
      const request = { waiting: 0, since: performance.now(), answer: ask(profile) };
      asked.set(profile, request);
      return wait(request, signal);
    }
    try {
      return await inTime(wait(shared, signal), timeLeft(shared), 'The request of another caller takes too long.');
    } catch (error) {
      signal?.throwIfAborted();
      // A runtime such as that of Cloudflare Workers ends a request together with the one of its own that made it, or forgets it.
      if (asked.get(profile) === shared) asked.delete(profile);
      const isLate = timeLeft(shared) <= 0;
      if (!isLate && !mayFail) throw error;
      return list({ signal, profile }, isLate && mayFail);
    }
  }

  return {
    ...deriveSource(source, list),
    ...watchOf([source], () => {
      changes += 1;
    }),
    listFiles: files.listFiles,
    readFile: files.readFile,
  };
}

/** A pending request for a listing, and the number of callers that wait for it. */
interface Asked {
  readonly answer: Promise<SkillListing>;
  readonly since: number;
  waiting: number;
}

/** Milliseconds for which callers share a request. After that, the next one asks the source itself. */
const longestShared = 5_000;

function timeLeft({ since }: Asked): number {
  return since + longestShared - performance.now();
}

/** The latest good listing of a source. */
interface Good {
  readonly listing: SkillListing;
  /** The listing, with a diagnostic if the source has failed since. */
  readonly given: SkillListing;
  readonly until: number;
  /** How many changes had been reported when the source was asked. */
  readonly heard: number;
  /** The number of the request that returned it. */
  readonly order: number;
}

/** Lists a source again, and adds the cached heads to the entries that have not changed. */
async function renew(source: SkillSource, kept: SkillListing, profile: SkillProfile): Promise<SkillListing> {
  const known = new Map(kept.entries.map((entry) => [keyOf(entry), entry]));
  const listing = await listAgain(source, { profile }, { entries: known, omitted: kept.omitted });
  const entries = listing.entries.map((entry): SkillEntry => {
    const before = isHeadless(entry) ? known.get(keyOf(entry)) : undefined;
    if (before === undefined) return entry;
    return { ...entry, head: before.head, ...(before.sidecar === undefined ? {} : { sidecar: before.sidecar }) };
  });
  return { ...listing, entries };
}
