// What one source gives: its skills, what it holds that is none, and why; nothing is parsed twice that has not changed.

import { createDiagnostic, type Diagnostic, hasErrors, type SkillProfile } from '../diagnostics/diagnostic.ts';
import { type ParseSkillOptions, parseSkillHead, type SkillHead } from '../format/parse.ts';
import { findGivenProblem, normalizeName } from '../format/properties/name.ts';
import { createTurn } from '../runtime/turns.ts';
import { reasonOf } from '../skill/error.ts';
import { lastSegment } from '../skill/last-segment.ts';
import type { Skill, SkillProperties } from '../skill/skill.ts';
import type { KnownEntry, SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';

/** A directory with a `SKILL.md` that did not become a skill. The diagnostics with its location say why. */
export interface RejectedSkill {
  readonly source: SkillSource;
  readonly directory: string;
  readonly location: string;
  /** The name that it would have had, where one was understood. */
  readonly name?: string;
}

/** What one directory of a source came to. */
export type EntrySnapshot = KnownEntry & { readonly diagnostics: readonly Diagnostic[] } & (
    | { readonly skill: Skill }
    | { readonly rejected: RejectedSkill }
  );

/** What a source gave at one time. */
export interface SourceSnapshot {
  readonly id: string;
  /** The rules that its skills were read by. */
  readonly profile: SkillProfile;
  /** By directory, in the order of the listing. */
  readonly entries: ReadonlyMap<string, EntrySnapshot>;
  /** About the source itself, and about what it could not read. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadSourceOptions {
  readonly signal: AbortSignal | undefined;
  readonly profile: SkillProfile;
  /** What the source gave before. */
  readonly known: SourceSnapshot | undefined;
}

/** Bytes of the first look at a frontmatter that its source's head did not hold: the cap of 16 KiB, its fences and line ends. */
const headLimit = 17 * 1024;

/** Lists a source and reads the properties of its skills. Rejects only when the signal is aborted. */
export async function loadSource(source: SkillSource, options: LoadSourceOptions): Promise<SourceSnapshot> {
  const { signal, profile } = options;
  const site = { source: source.id, location: source.id };
  const empty = { id: source.id, profile, entries: new Map<string, EntrySnapshot>() };
  if (!source.trusted)
    return { ...empty, diagnostics: [createDiagnostic('source-untrusted', site, { place: source.id })] };
  const known = options.known?.profile === profile ? options.known : undefined;
  try {
    const listing = await source.list({ signal, profile, known: known?.entries });
    if (known !== undefined && isUnchanged(known, listing, source)) return known;
    const entries = new Map<string, EntrySnapshot>();
    const turn = createTurn();
    for (const entry of listing.entries) {
      await turn(signal);
      const before = entry.unchanged === true ? known?.entries.get(entry.directory) : undefined;
      const snapshot = before === undefined ? readEntry(source, entry, options) : adopt(before, source);
      entries.set(entry.directory, snapshot instanceof Promise ? await snapshot : snapshot);
    }
    return { id: source.id, profile, entries, diagnostics: listing.diagnostics };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    if (known === undefined) return { ...empty, diagnostics: [createDiagnostic('source-failed', site, { reason })] };
    return { ...known, diagnostics: [createDiagnostic('source-kept', site, { reason })] };
  }
}

/** Each profile demands at least what the one before it does. */
const byStrictness: readonly SkillProfile[] = ['lenient', 'strict', 'portable'];

function stricterOf(one: SkillProfile, other: SkillProfile): SkillProfile {
  return byStrictness.indexOf(one) > byStrictness.indexOf(other) ? one : other;
}

/** A snapshot belongs to the source that is asked now, which may be another object of the same id. */
function adopt(entry: EntrySnapshot, source: SkillSource): EntrySnapshot {
  if ('skill' in entry) return entry.skill.source === source ? entry : { ...entry, skill: { ...entry.skill, source } };
  return entry.rejected.source === source ? entry : { ...entry, rejected: { ...entry.rejected, source } };
}

/** Tells whether nothing at all has changed: the same entries of the same source in the same order, and nothing to report. */
function isUnchanged(known: SourceSnapshot, { entries, diagnostics }: SkillListing, source: SkillSource): boolean {
  if (known.diagnostics.length + diagnostics.length > 0 || known.entries.size !== entries.length) return false;
  let index = 0;
  for (const [directory, snapshot] of known.entries) {
    const entry = entries[index];
    index += 1;
    if (entry?.unchanged !== true || entry.directory !== directory || adopt(snapshot, source) !== snapshot)
      return false;
  }
  return true;
}

/** A promise only where the head that was listed does not hold the whole frontmatter. */
function readEntry(
  source: SkillSource,
  entry: SkillEntry,
  options: LoadSourceOptions,
): EntrySnapshot | Promise<EntrySnapshot> {
  const profile = stricterOf(entry.profile ?? 'lenient', options.profile);
  const parseOptions = {
    source: source.id,
    location: entry.location,
    directoryName: lastSegment(entry.directory),
    profile,
    codexSidecar: entry.sidecar,
    complete: entry.head.length >= entry.bytes,
  };
  const head = parseSkillHead(entry.head, parseOptions);
  const held = profile === 'lenient' ? entry : { ...entry, profile };
  if (head !== undefined) return createSnapshot(source, held, head);
  return readOn(source, held, parseOptions, options.signal).then((longer) => createSnapshot(source, held, longer));
}

async function readOn(
  source: SkillSource,
  entry: SkillEntry,
  parseOptions: ParseSkillOptions,
  signal: AbortSignal | undefined,
): Promise<SkillHead> {
  try {
    const longer = await source.readFile(entry, 'SKILL.md', { length: headLimit, signal });
    const head = parseSkillHead(longer, { ...parseOptions, complete: longer.length < headLimit });
    return head ?? { properties: undefined, diagnostics: [] };
  } catch (error) {
    signal?.throwIfAborted();
    const site = { source: source.id, location: entry.location };
    const unreadable = createDiagnostic('skill-file-unreadable', site, { reason: reasonOf(error) });
    return { properties: undefined, diagnostics: [unreadable] };
  }
}

/** Shared by all that have nothing to report, which are most. */
const noDiagnostics: readonly Diagnostic[] = Object.freeze([]);

function createSnapshot(source: SkillSource, listed: SkillEntry, head: SkillHead): EntrySnapshot {
  const { properties } = head;
  const { entry, refused } = checkGivenName(source, listed, properties);
  const { directory, location, stamp, identity } = entry;
  const found = refused === undefined ? head.diagnostics : [...head.diagnostics, refused];
  const diagnostics = found.length === 0 ? noDiagnostics : found;
  const isSkill = properties !== undefined && !hasErrors(diagnostics);
  // What directories give is written in full: to spread it costs time and memory for each of thousands.
  if (isSkill && stamp !== undefined && identity !== undefined) {
    return { diagnostics, stamp, identity, skill: createSkill(source, entry, properties) };
  }
  const snapshot = {
    diagnostics,
    ...(stamp === undefined ? {} : { stamp }),
    ...(identity === undefined ? {} : { identity }),
  };
  if (isSkill) return { ...snapshot, skill: createSkill(source, entry, properties) };
  const name = properties === undefined ? {} : { name: properties.name };
  return { ...snapshot, rejected: { source, directory, location, ...name } };
}

/** Takes a name that no skill can have from an entry, so that the skill keeps its own. */
function checkGivenName(
  source: SkillSource,
  entry: SkillEntry,
  properties: SkillProperties | undefined,
): { readonly entry: SkillEntry; readonly refused?: Diagnostic } {
  if (entry.name === undefined) return { entry };
  const given = normalizeName(entry.name);
  const problem = findGivenProblem(given);
  if (problem === undefined) return { entry: given === entry.name ? entry : { ...entry, name: given } };
  const { name: _, ...own } = entry;
  const name = properties?.name ?? lastSegment(entry.directory);
  const site = { source: source.id, location: entry.location };
  return { entry: own, refused: createDiagnostic('name-given-refused', site, { name, given, problem }) };
}

function createSkill(source: SkillSource, entry: SkillEntry, properties: SkillProperties): Skill {
  const { directory, location, bytes, identity, plugin, hasFiles, profile = 'lenient' } = entry;
  const name = entry.name ?? properties.name;
  const { description } = properties;
  if (identity !== undefined && plugin === undefined && hasFiles === undefined && profile === 'lenient') {
    return { name, description, properties, source, directory, location, bytes, identity };
  }
  return {
    ...{ name, description, properties, source, directory, location, bytes },
    ...(identity === undefined ? {} : { identity }),
    ...(plugin === undefined ? {} : { plugin }),
    ...(hasFiles === undefined ? {} : { hasFiles }),
    ...(profile === 'lenient' ? {} : { profile }),
  };
}
