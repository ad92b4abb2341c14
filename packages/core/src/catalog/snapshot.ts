// What became of one directory of a source: a skill, or a reason why not. Kept for the next load.

import { type Diagnostic, hasErrors, type SkillProfile } from '../diagnostics/diagnostic.ts';
import type { EntryHead } from '../format/entry.ts';
import { lastSegment } from '../skill/paths.ts';
import type { Skill, SkillProperties } from '../skill/skill.ts';
import type { KnownEntry, SkillEntry, SkillSource } from '../skill/source.ts';

/** A directory with a `SKILL.md` that did not become a skill. The diagnostics with its location say why. */
export interface RejectedSkill {
  readonly source: SkillSource;
  readonly directory: string;
  readonly location: string;
  /** The name that it would have had, if one was understood. */
  readonly name?: string;
}

/** What became of one directory. */
export type EntrySnapshot = Omit<KnownEntry, 'skill'> & {
  /** About the `SKILL.md` and its sidecar. */
  readonly diagnostics: readonly Diagnostic[];
} & (
    | { readonly skill: Skill }
    /** With the rules that it was rejected by. */
    | { readonly rejected: RejectedSkill; readonly profile: SkillProfile }
  );

/** What a source returned at one time. */
export interface SourceSnapshot {
  readonly source: SkillSource;
  /** The rules of the catalog. */
  readonly profile: SkillProfile;
  /** By the keys of the entries, in the order of the listing. */
  readonly entries: ReadonlyMap<string, EntrySnapshot>;
  readonly omitted?: ReadonlyMap<string, KnownEntry> | undefined;
  /** About the source itself, about what it could not read, and about names that it gives. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates the snapshot of an entry from its head. */
export function createSnapshot(
  source: SkillSource,
  entry: SkillEntry,
  { properties, diagnostics: found }: EntryHead,
  profile: SkillProfile,
): EntrySnapshot {
  const { directory, location, stamp, identity, plainSince } = entry;
  const ownName = properties?.name ?? lastSegment(directory);
  // An array that grew has room for 16 more, so a copy is smaller.
  const diagnostics = found.length === 0 ? noDiagnostics : found.slice();
  // Written in full, because spreading costs time and memory for each of thousands.
  if (properties !== undefined && !hasErrors(diagnostics)) {
    const skill = createSkill(source, entry, properties, profile);
    return { stamp, identity, plainSince, ownName, diagnostics, skill };
  }
  const name = properties === undefined ? {} : { name: ownName };
  const rejected = { source, directory, location, ...name };
  return { stamp, identity, plainSince, ownName, diagnostics, profile, rejected };
}

/**
 * Adapts a snapshot to the current source and entry, whose head says the same. Returns `undefined` if it was read as another
 * file or by other rules, and the very same snapshot if nothing differs.
 */
export function renewSnapshot(
  before: EntrySnapshot,
  source: SkillSource,
  entry: SkillEntry,
  profile: SkillProfile,
): EntrySnapshot | undefined {
  const old = 'skill' in before ? before.skill : before.rejected;
  const rules = 'skill' in before ? (before.skill.profile ?? 'lenient') : before.profile;
  const isSamePlace = old.directory === entry.directory && old.location === entry.location;
  if (old.source.id !== source.id || !isSamePlace || rules !== profile) return undefined;
  if ('rejected' in before) {
    return before.rejected.source === source ? before : { ...before, rejected: { ...before.rejected, source } };
  }
  const { properties } = before.skill;
  return isSkillOf(before.skill, source, entry)
    ? before
    : { ...before, skill: createSkill(source, entry, properties, profile) };
}

/** Shared by all skills without a diagnostic, which are most. */
const noDiagnostics: readonly Diagnostic[] = Object.freeze([]);

function isSkillOf(skill: Skill, source: SkillSource, entry: SkillEntry): boolean {
  const { name = skill.properties.name, bytes, identity, inode, origin, plugin, hasFiles } = entry;
  // Written in full, because to look fields up by name takes time for each of thousands.
  const isSameFile = skill.bytes === bytes && skill.identity === identity && skill.inode === inode;
  const isSameOrigin = skill.origin === origin && skill.plugin === plugin && skill.hasFiles === hasFiles;
  return skill.source === source && skill.name === name && isSameFile && isSameOrigin;
}

type Draft = { -readonly [Key in keyof Skill]: Skill[Key] };

function createSkill(
  source: SkillSource,
  entry: SkillEntry,
  properties: SkillProperties,
  profile: SkillProfile,
): Skill {
  const { name = properties.name, directory, location, bytes, identity, inode, origin, plugin, hasFiles } = entry;
  const { description } = properties;
  const skill: Draft = { name, description, properties, source, directory, location, bytes, identity, inode };
  if (origin !== undefined) skill.origin = origin;
  if (plugin !== undefined) skill.plugin = plugin;
  if (hasFiles !== undefined) skill.hasFiles = hasFiles;
  if (profile !== 'lenient') skill.profile = profile;
  return skill;
}
