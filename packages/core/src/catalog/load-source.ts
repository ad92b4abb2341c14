// Lists one source and reads the properties of its skills, without parsing unchanged ones again.

import { createDiagnostic, type SkillProfile } from '../diagnostics/diagnostic.ts';
import { readEntryHead, rulesFor } from '../format/entry.ts';
import type { NamedHead } from '../format/parse.ts';
import { findGivenProblem, normalizeName } from '../format/properties/name.ts';
import { isPromise } from '../runtime/record.ts';
import { createTurn, type Wait } from '../runtime/turns.ts';
import { inTime, untilAborted } from '../runtime/until-aborted.ts';
import { failureOf, isHeadless, isUnchanged, keyOf, listAgain, listSource } from '../skill/listing.ts';
import type { SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';
import { createSnapshot, type EntrySnapshot, renewSnapshot, type SourceSnapshot } from './snapshot.ts';

export interface LoadSourceOptions {
  readonly signal: AbortSignal | undefined;
  readonly profile: SkillProfile;
  readonly describeByBody: boolean;
  /** What the source returned last time. */
  readonly known: SourceSnapshot | undefined;
}

/** Milliseconds to wait for a source that was listed before. */
const longestListing = 5 * 60_000;

/** Snapshots by their listing, so that catalogs loaded from one cache share them. Kept as long as the listing. */
const loads: WeakMap<SkillListing, SourceSnapshot> = new WeakMap();

/**
 * Lists a source and reads the properties of its skills. Returns the known snapshot if nothing has changed and there is nothing
 * to report. Rejects only if the signal is aborted.
 */
export async function loadSource(source: SkillSource, options: LoadSourceOptions): Promise<SourceSnapshot> {
  const { signal, profile, describeByBody } = options;
  const empty = { source, profile, describeByBody, entries: new Map<string, EntrySnapshot>() };
  // Compared with `true`, because a configuration may contain the text `'false'`.
  if (source.trusted !== true) {
    const site = { source: source.id, location: source.id };
    return { ...empty, diagnostics: [createDiagnostic('source-untrusted', site, { place: source.id })] };
  }
  const isAlike = (other: SourceSnapshot): boolean =>
    other.profile === profile && other.describeByBody === describeByBody;
  const known = options.known !== undefined && isAlike(options.known) ? options.known : undefined;
  try {
    const wanted = { signal, profile };
    // A watch must go on, also for its other sources, if one never answers.
    const listed =
      known === undefined
        ? listSource(source, wanted)
        : inTime(listAgain(source, wanted, known), longestListing, 'it did not answer within 5 minutes');
    const listing = await untilAborted(listed, signal);
    const shared = loads.get(listing);
    if (shared?.source === source && isAlike(shared)) return shared;
    const turn = createTurn();
    const wait = () => turn(signal);
    const read = await readEntries(source, listing, { ...options, known }, wait);
    if (read === undefined) return loadSource(source, { ...options, known: undefined });
    const snapshot = { ...empty, ...read, omitted: listing.omitted };
    if (known !== undefined && saysSame(known, snapshot)) return known;
    loads.set(listing, snapshot);
    return snapshot;
  } catch (error) {
    signal?.throwIfAborted();
    if (known === undefined || isUnread(known))
      return { ...empty, diagnostics: [failureOf('source-failed', source, error)] };
    return { ...known, diagnostics: [failureOf('source-kept', source, error)] };
  }
}

/** Reads the entries of a listing; `undefined` if the source left out a head that is needed. */
async function readEntries(
  source: SkillSource,
  listing: SkillListing,
  options: LoadSourceOptions,
  wait: Wait,
): Promise<Pick<SourceSnapshot, 'entries' | 'diagnostics'> | undefined> {
  const diagnostics = [...listing.diagnostics];
  const entries = new Map<string, EntrySnapshot>();
  for (const given of listing.entries) {
    const waiting = wait();
    if (waiting !== undefined) await waiting;
    const { entry, problem } = checkGivenName(given);
    const key = keyOf(entry);
    const read = readSnapshot(source, entry, options.known?.entries.get(key), options);
    if (read === undefined) return undefined;
    const snapshot = isPromise(read) ? await read : read;
    entries.set(key, snapshot);
    if (problem === undefined) continue;
    const details = { name: snapshot.ownName ?? '', given: normalizeName(given.name ?? ''), problem };
    const site = { source: source.id, location: given.location };
    diagnostics.push(createDiagnostic('name-given-refused', site, details));
  }
  return { entries, diagnostics };
}

/** Checks whether a source has no earlier result to keep, because it was not trusted or failed. */
function isUnread({ entries, diagnostics }: SourceSnapshot): boolean {
  return entries.size === 0 && diagnostics.some(({ code }) => code === 'source-failed' || code === 'source-untrusted');
}

/** Checks whether a source lists the same as before, with nothing to report. Unchanged entries have the same snapshots. */
function saysSame(before: SourceSnapshot, now: SourceSnapshot): boolean {
  if (before.diagnostics.length + now.diagnostics.length > 0 || before.entries.size !== now.entries.size) return false;
  const entries = [...now.entries.values()];
  const isSame = [...before.entries.values()].every((entry, index) => entry === entries[index]);
  return isSame && isSameOmitted(before.omitted, now.omitted);
}

/**
 * Returns the snapshot of an entry; `undefined` if its head is needed but was left out, because the file is now read under
 * another profile.
 */
function readSnapshot(
  source: SkillSource,
  entry: SkillEntry,
  before: EntrySnapshot | undefined,
  { signal, profile, describeByBody }: LoadSourceOptions,
): EntrySnapshot | Promise<EntrySnapshot> | undefined {
  const rules = rulesFor(entry, profile);
  if (before !== undefined && isUnchanged(entry, before)) {
    const renewed = renewSnapshot(before, source, entry, rules);
    if (renewed !== undefined || isHeadless(entry)) return renewed;
  }
  const head = readEntryHead(source, entry, { profile, signal, describeByBody });
  const create = (known: NamedHead) => createSnapshot(source, entry, known, rules);
  return isPromise(head) ? head.then(create) : create(head);
}

function isSameOmitted(before: SkillListing['omitted'] = new Map(), now: SkillListing['omitted'] = new Map()): boolean {
  return before.size === now.size && [...now].every(([key, entry]) => isUnchanged(entry, before.get(key)));
}

/** Removes a given name that is not allowed from an entry, so that the skill keeps its own name. */
function checkGivenName(entry: SkillEntry): { readonly entry: SkillEntry; readonly problem?: string } {
  if (entry.name === undefined) return { entry };
  const { name, ...own } = entry;
  const given = normalizeName(name);
  const problem = findGivenProblem(given);
  if (problem !== undefined) return { entry: own, problem };
  return { entry: given === name ? entry : { ...own, name: given } };
}
