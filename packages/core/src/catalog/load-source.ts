// Lists one source and reads the properties of its skills; what has not changed is not parsed again.

import { createDiagnostic, type Diagnostic, type SkillProfile } from '../diagnostics/diagnostic.ts';
import { type EntryHead, readEntryHead, rulesFor } from '../format/entry.ts';
import { findGivenProblem, normalizeName } from '../format/properties/name.ts';
import { createTurn } from '../runtime/turns.ts';
import { reasonOf } from '../skill/error.ts';
import { isHeadless, isUnchanged, keyOf, listAgain } from '../skill/listing.ts';
import type { SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';
import { createSnapshot, type EntrySnapshot, renewSnapshot, type SourceSnapshot } from './snapshot.ts';

export interface LoadSourceOptions {
  readonly signal: AbortSignal | undefined;
  readonly profile: SkillProfile;
  /** What the source returned before. */
  readonly known: SourceSnapshot | undefined;
}

/** What was parsed from a listing, as long as a source keeps the listing: catalogs that are loaded from one cache share it. */
const loads: WeakMap<SkillListing, SourceSnapshot> = new WeakMap();

/**
 * Lists a source and reads the properties of its skills. Returns the known snapshot itself if nothing has changed and there
 * is nothing to report. Rejects only if the signal is aborted.
 */
export async function loadSource(source: SkillSource, options: LoadSourceOptions): Promise<SourceSnapshot> {
  const { signal, profile } = options;
  const site = { source: source.id, location: source.id };
  const empty = { source, profile, entries: new Map<string, EntrySnapshot>() };
  if (!source.trusted) {
    return { ...empty, diagnostics: [createDiagnostic('source-untrusted', site, { place: source.id })] };
  }
  const known = options.known?.profile === profile ? options.known : undefined;
  try {
    const listing = await (known === undefined
      ? source.list({ signal, profile })
      : listAgain(source, { signal, profile }, known));
    const shared = loads.get(listing);
    if (shared?.source === source && shared.profile === profile) return shared;
    const diagnostics = [...listing.diagnostics];
    const entries = new Map<string, EntrySnapshot>();
    const keysBefore = known?.entries.keys();
    let isSame = known?.entries.size === listing.entries.length && isSameOmitted(known.omitted, listing.omitted);
    const turn = createTurn();
    for (const listed of listing.entries) {
      const wait = turn(signal);
      if (wait !== undefined) await wait;
      const { entry, problem } = checkGivenName(listed);
      const key = keyOf(entry);
      const before = known?.entries.get(key);
      const read = readSnapshot(source, entry, before, options);
      if (read === undefined) return loadSource(source, { ...options, known: undefined });
      const snapshot = read instanceof Promise ? await read : read;
      entries.set(key, snapshot);
      isSame = isSame && snapshot === before && keysBefore?.next().value === key;
      if (problem !== undefined) diagnostics.push(refuseName(source, listed, snapshot, problem));
    }
    const isSilent = diagnostics.length + (known?.diagnostics.length ?? 0) === 0;
    if (known !== undefined && isSame && isSilent) return known;
    const snapshot = { source, profile, entries, omitted: listing.omitted, diagnostics };
    loads.set(listing, snapshot);
    return snapshot;
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    if (known === undefined) return { ...empty, diagnostics: [createDiagnostic('source-failed', site, { reason })] };
    return { ...known, diagnostics: [createDiagnostic('source-kept', site, { reason })] };
  }
}

/** Returns what becomes of an entry; `undefined` if its head was left out for a file that has to be read by other rules now. */
function readSnapshot(
  source: SkillSource,
  entry: SkillEntry,
  before: EntrySnapshot | undefined,
  { signal, profile }: LoadSourceOptions,
): EntrySnapshot | Promise<EntrySnapshot> | undefined {
  const rules = rulesFor(entry, profile);
  if (before !== undefined && isUnchanged(entry, before)) {
    const renewed = renewSnapshot(before, source, entry, rules);
    if (renewed !== undefined || isHeadless(entry)) return renewed;
  }
  const head = readEntryHead(source, entry, { profile, signal });
  const create = (known: EntryHead) => createSnapshot(source, entry, known, rules);
  return head instanceof Promise ? head.then(create) : create(head);
}

function isSameOmitted(before: SkillListing['omitted'] = new Map(), now: SkillListing['omitted'] = new Map()): boolean {
  return before.size === now.size && [...now].every(([key, entry]) => isUnchanged(entry, before.get(key)));
}

/** Removes a given name that no skill can have from an entry, so that the skill keeps its own. */
function checkGivenName(entry: SkillEntry): { readonly entry: SkillEntry; readonly problem?: string } {
  if (entry.name === undefined) return { entry };
  const { name, ...own } = entry;
  const given = normalizeName(name);
  const problem = findGivenProblem(given);
  if (problem !== undefined) return { entry: own, problem };
  return { entry: given === name ? entry : { ...own, name: given } };
}

function refuseName(
  source: SkillSource,
  { name = '', location }: SkillEntry,
  { ownName = '' }: EntrySnapshot,
  problem: string,
): Diagnostic {
  const details = { name: ownName, given: normalizeName(name), problem };
  return createDiagnostic('name-given-refused', { source: source.id, location }, details);
}
