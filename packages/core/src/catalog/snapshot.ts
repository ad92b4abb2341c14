// Remembers for each directory of a source whether it is a skill or why not, so that the next load can reuse it.

import { type Diagnostic, hasErrors, type SkillProfile } from '../diagnostics/diagnostic.ts';
import type { NamedHead } from '../format/parse.ts';
import { directoryNameOf } from '../skill/paths.ts';
import type { Skill, SkillProperties } from '../skill/skill.ts';
import type { KnownEntry, SkillEntry, SkillSource } from '../skill/source.ts';

/** A directory with a `SKILL.md` that did not become a skill. The diagnostics with its location explain why. */
export interface RejectedSkill {
  readonly source: SkillSource;
  readonly directory: string;
  readonly location: string;
  /** As in `SkillDirectory`. */
  readonly identity?: string | undefined;
  /** The name that it would have, if it could be read. */
  readonly name?: string;
}

/** The result for one directory. */
export type EntrySnapshot = Omit<KnownEntry, 'skill'> & {
  /** About the `SKILL.md` and its sidecar. */
  readonly diagnostics: readonly Diagnostic[];
} & (
    | { readonly skill: Skill }
    /** Includes the profile under which it was rejected. */
    | { readonly rejected: RejectedSkill; readonly profile: SkillProfile }
  );

/** What a source returned at one time. */
export interface SourceSnapshot {
  readonly source: SkillSource;
  /** The rules of the catalog. */
  readonly profile: SkillProfile;
  readonly describeByBody: boolean;
  /** By entry key, in the order of the listing. */
  readonly entries: ReadonlyMap<string, EntrySnapshot>;
  readonly omitted?: ReadonlyMap<string, KnownEntry> | undefined;
  /** About the source itself, what it could not read, and names that it gives. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates the snapshot of an entry from its head. */
export function createSnapshot(
  source: SkillSource,
  entry: SkillEntry,
  { name: written, properties, diagnostics: found }: NamedHead,
  profile: SkillProfile,
): EntrySnapshot {
  const { directory, location, stamp, identity, plainSince } = entry;
  const ownName = written ?? directoryNameOf(entry);
  // A copy, because an array that grew reserves room for 16 more items.
  const diagnostics = found.length === 0 ? noDiagnostics : found.slice();
  // Written out, because spreading the shared fields keeps 0.3 MB more for 10,000 entries.
  if (properties !== undefined && !hasErrors(diagnostics)) {
    const skill = createSkill(source, entry, properties, profile);
    return { stamp, identity, plainSince, ownName, diagnostics, skill };
  }
  const rejected = { source, directory, location, identity, ...(written !== undefined && { name: written }) };
  // Without a stamp, a file that could not be read is read again next time, although it is unchanged.
  const isUnread = diagnostics.some(({ code }) => code === 'skill-file-unreadable');
  return { stamp: isUnread ? undefined : stamp, identity, plainSince, ownName, diagnostics, profile, rejected };
}

/**
 * Adapts a snapshot to the current source and to an entry with the same head. Returns the same object if nothing differs, and
 * `undefined` if it was read from another file or under another profile.
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
  if (!isSamePlace || rules !== profile) return undefined;
  if ('rejected' in before) {
    return before.rejected.source === source ? before : { ...before, rejected: { ...before.rejected, source } };
  }
  const { properties } = before.skill;
  return isSkillOf(before.skill, source, entry)
    ? before
    : { ...before, skill: createSkill(source, entry, properties, profile) };
}

/** Shared by all skills without diagnostics, which most skills are. */
const noDiagnostics: readonly Diagnostic[] = Object.freeze([]);

function isSkillOf(skill: Skill, source: SkillSource, entry: SkillEntry): boolean {
  const { name = skill.properties.name, bytes, inode, plugin, hasFiles } = entry;
  // Written out, because looking up fields by name takes time, and there may be thousands of entries.
  const isSameFile = skill.bytes === bytes && skill.inode === inode && skill.hasFiles === hasFiles;
  return skill.source === source && skill.name === name && skill.plugin === plugin && isSameFile;
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
