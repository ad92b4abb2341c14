// Recognises a skill on disk by its real path, and whether it is unchanged by the stamps of its files.

import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import type { SkillProfile } from '../../diagnostics/diagnostic.ts';
import { getOrCreate } from '../../runtime/get-or-create.ts';
import { unlistedSkill } from '../../skill/listing.ts';
import type { KnownEntry, SkillDirectory, SkillEntry } from '../../skill/source.ts';
import { isRefusedHardLink, stampOf } from '../disk/contained-file.ts';
import { entriesIn, type FileSystem, inodeOf, orElse } from '../disk/file-system.ts';
import { hazardOf } from '../disk/ownership.ts';

/**
 * A directory that may be a skill, with both of its paths. `directory` may lead through links and is shown to users; `real` is
 * without links and used for reading. An entry has them as `directory` and `identity`.
 */
export interface CandidateDirectory {
  readonly directory: string;
  readonly real: string;
}

/** Returns the real path of a skill. @throws {SkillError} `skill-unknown` if it has none, because it is from another source */
export function realPathOf({ identity }: SkillDirectory): string {
  if (identity === undefined) throw unlistedSkill();
  return identity;
}

/**
 * Returns the identity of the directory at a path, which must not be a link, or behind a descriptor. It includes the time of
 * birth, because a new directory may get the inode of a removed one.
 */
export function inodeOfDirectory(files: FileSystem, status: Stats, place: string | number): string {
  return [inodeOf(files, status, place), hasBirthTimes(files) ? Math.floor(status.birthtimeMs) : 0].join(':');
}

/** File systems in user space on Linux, such as `sshfs` and mounts of buckets. Many give a directory another inode after a while. */
const fuse = 0x6573_5546;

/** The file system of containers. A directory of the image has another time of birth once something in it has changed. */
const overlay = 0x794c_7630;

/** Checks whether another directory is now in the place of a skill. The status is that of the directory at a path or behind a descriptor. */
export function isReplaced(files: FileSystem, skill: SkillDirectory, status: Stats, place: string | number): boolean {
  const now = inodeOfDirectory(files, status, place);
  if (skill.inode === undefined || now === skill.inode) return false;
  const type = orElse(0, () => files.typeOf(realPathOf(skill)));
  if (type === overlay) return withoutBirth(now) !== withoutBirth(skill.inode);
  return type !== fuse;
}

function withoutBirth(inode: string): string {
  return inode.slice(0, inode.lastIndexOf(':'));
}

const answers = new WeakMap<FileSystem, boolean>();

/**
 * Checks whether times of birth are real. On Linux without `statx`, as in WSL 1 and in some containers, Node returns the time of
 * the last change instead, even for `/proc/self`, which has no time of birth.
 */
function hasBirthTimes(files: FileSystem): boolean {
  return getOrCreate(answers, files, () =>
    orElse(true, () => {
      const { birthtimeMs, ctimeMs } = files.stat('/proc/self');
      return birthtimeMs !== ctimeMs;
    }),
  );
}

/** Appended to a directory in one step, which saves memory for the path that is kept for every skill. */
export const skillFileSuffix: string = `${sep}SKILL.md`;

/** Suffix for the directory of the Codex sidecar. */
export const agentsSuffix: string = `${sep}agents`;
/** Suffix for the sidecar itself. */
export const sidecarSuffix: string = `${agentsSuffix}${sep}openai.yaml`;

/** A file that other clients read instead of `SKILL.md`. */
export const twinName = 'skill.md';
/** Suffix for this file. */
export const twinSuffix: string = sep + twinName;

/** Joins the stamps of a `SKILL.md` and its sidecar (`''` if there is none); `undefined` if either file has just changed. */
export function joinStamps(file: string | undefined, sidecar: string | undefined): string | undefined {
  if (file === undefined || sidecar === undefined) return undefined;
  return sidecar === '' ? file : [file, sidecar].join(' ');
}

const noBytes: Uint8Array = new Uint8Array(0);

/** An entry, and what is wrong around it. */
export interface FoundSkill {
  readonly entry: SkillEntry;
  /** Whether its directory also has a different file `skill.md`. */
  readonly hasTwin: boolean;
  /** Why other users can change its directory or its `SKILL.md`. */
  readonly hazard: string | undefined;
}

/**
 * Returns a skill if neither its `SKILL.md` nor its sidecar was written, moved or replaced, without reading them. Never if one of
 * them is a link, because the stamp of a link does not describe its target.
 */
export function entryIfUnchanged(
  files: FileSystem,
  { directory, real }: CandidateDirectory,
  known: KnownEntry | undefined,
  profile: SkillProfile,
  user: number | undefined,
): FoundSkill | undefined {
  const { stamp, identity, plainSince, skill } = known ?? {};
  if (stamp === undefined || identity !== real) return undefined;
  const status = files.lstatIfThere(real + skillFileSuffix);
  if (status === undefined || !status.isFile()) return undefined;
  const place = files.lstat(real);
  // Adding anything to a directory changes its time. If the time is the same, files that were missing are still missing.
  const isPlain = place.ctimeMs === plainSince;
  const sidecar = isPlain
    ? undefined
    : orElse<Stats | 'unknown' | undefined>('unknown', () => files.lstatIfThere(real + sidecarSuffix));
  if (sidecar === 'unknown' || sidecar?.isFile() === false) return undefined;
  if (isRefusedHardLink(status.nlink, profile) || isRefusedHardLink(sidecar?.nlink ?? 1, profile)) return undefined;
  const now = joinStamps(stampOf(status), sidecar === undefined ? '' : stampOf(sidecar));
  if (now !== stamp) return undefined;
  const entry = {
    // Reuses the known strings, because new ones would take time and memory to compare.
    directory: directory === real ? identity : directory,
    location: skill?.location ?? directory + skillFileSuffix,
    identity,
    inode: inodeOfDirectory(files, place, real),
    head: noBytes,
    bytes: status.size,
    stamp,
    plainSince,
  };
  const hazard = hazardOf(place, user) ?? hazardOf(status, user);
  return { entry, hasTwin: !isPlain && hasLowercaseTwin(files, real), hazard };
}

/** Checks whether the directory of a skill also has a different file `skill.md`. */
export function hasLowercaseTwin(files: FileSystem, directory: string): boolean {
  const twin = directory + twinSuffix;
  if (!files.exists(twin)) return false;
  // On a disk that ignores letter case, both names lead to the same file, and so does a link.
  const leadsElsewhere = (): boolean => files.realpath(twin) !== files.realpath(directory + skillFileSuffix);
  return orElse(false, () => leadsElsewhere() && isListed(files, directory, twinName));
}

/**
 * Checks whether a directory has a file with exactly this name. A disk that ignores letter case also finds `SKILL.md` by other
 * names, and on Linux, its real path then has the name that was asked for.
 */
export function isListed(files: FileSystem, directory: string, name: string): boolean {
  for (const entry of entriesIn(files.openDirectory(directory))) if (entry.name === name) return true;
  return false;
}
