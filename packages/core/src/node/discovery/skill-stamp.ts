// Recognises a skill on disk: by its real path, and as unchanged by the stamps of its files.

import type { BigIntStats, Stats } from 'node:fs';
import { sep } from 'node:path';
import type { SkillProfile } from '../../diagnostics/diagnostic.ts';
import { SkillError } from '../../skill/error.ts';
import type { KnownEntry, SkillDirectory, SkillEntry } from '../../skill/source.ts';
import { isRefusedHardLink, stampOf } from '../disk/contained-file.ts';
import { type FileSystem, inodeOf, orElse } from '../disk/file-system.ts';

/**
 * A directory that may be a skill, by both of its paths. `directory` is as the source writes it, which may lead through links,
 * and is what users see; `real` has no link, and is what is read. An entry carries them as `directory` and `identity`.
 */
export interface CandidateDirectory {
  readonly directory: string;
  readonly real: string;
}

/** Returns the real path of a skill. @throws {SkillError} `skill-unknown` if its source did not note one */
export function realPathOf({ identity }: SkillDirectory): string {
  if (identity !== undefined) return identity;
  const message = 'The skill was not found by this source. Pass an entry that its `list` returned.';
  throw new SkillError('skill-unknown', message);
}

/** Returns what identifies the directory at a path, which is not a link. */
export function inodeAt(files: FileSystem, real: string): string {
  return inodeOfDirectory(files.lstat(real), () => files.lstatExactly(real));
}

/** Identifies a directory by the time of its birth, too, because a new one may get the number of a removed one. */
export function inodeOfDirectory(status: Stats, exactly: () => BigIntStats): string {
  return [inodeOf(status, exactly), Math.floor(status.birthtimeMs)].join(':');
}

/** Appended to a directory in one step, because such a path is kept for every skill. */
export const skillFileSuffix: string = `${sep}SKILL.md`;

/** The same for the sidecar of Codex, and for its directory. */
export const agentsSuffix: string = `${sep}agents`;
export const sidecarSuffix: string = `${agentsSuffix}${sep}openai.yaml`;

/** Other clients read this file instead of `SKILL.md`. */
export const twinName = 'skill.md';
export const twinSuffix: string = sep + twinName;

/** Joins the stamps of a `SKILL.md` and its sidecar, which is `''` without one; `undefined` if either has just changed. */
export function joinStamps(file: string | undefined, sidecar: string | undefined): string | undefined {
  if (file === undefined || sidecar === undefined) return undefined;
  return sidecar === '' ? file : [file, sidecar].join(' ');
}

const noBytes: Uint8Array = new Uint8Array(0);

/** An entry, and whether its directory has a `skill.md` that is another file than its `SKILL.md`. */
export interface FoundSkill {
  readonly entry: SkillEntry;
  readonly hasTwin: boolean;
}

/**
 * Returns a skill if neither its `SKILL.md` nor its sidecar was written, moved or replaced. Reads neither. A file that is a link
 * is always read, because its stamp does not describe its target.
 */
export function entryIfUnchanged(
  files: FileSystem,
  { directory, real }: CandidateDirectory,
  known: KnownEntry | undefined,
  profile: SkillProfile = 'lenient',
): FoundSkill | undefined {
  const { stamp, identity, plainSince, skill } = known ?? {};
  if (stamp === undefined || identity !== real) return undefined;
  const status = files.lstatIfThere(real + skillFileSuffix);
  if (status === undefined || !status.isFile()) return undefined;
  const place = files.lstat(real);
  // Anything added to a directory changes its time, so files that were missing before are not looked for again.
  const isPlain = place.ctimeMs === plainSince;
  const sidecar = isPlain
    ? undefined
    : orElse<Stats | 'unknown' | undefined>('unknown', () => files.lstatIfThere(real + sidecarSuffix));
  if (sidecar === 'unknown' || sidecar?.isFile() === false) return undefined;
  if (isRefusedHardLink(status.nlink, profile) || isRefusedHardLink(sidecar?.nlink ?? 1, profile)) return undefined;
  const now = joinStamps(stampOf(status), sidecar === undefined ? '' : stampOf(sidecar));
  if (now !== stamp) return undefined;
  const entry = {
    // Reuses the known strings, because comparing new ones with them takes time and memory.
    directory: directory === real ? identity : directory,
    location: skill?.location ?? directory + skillFileSuffix,
    identity,
    inode: inodeOfDirectory(place, () => files.lstatExactly(real)),
    head: noBytes,
    bytes: status.size,
    stamp,
    plainSince,
  };
  return { entry, hasTwin: !isPlain && hasLowercaseTwin(files, real) };
}

/** Checks whether a skill has a `skill.md` that is another file than its `SKILL.md`. */
export function hasLowercaseTwin(files: FileSystem, directory: string): boolean {
  const twin = directory + twinSuffix;
  if (!files.exists(twin)) return false;
  // On a disk that ignores case, both names lead to the same file.
  return orElse(false, () => files.realpath(twin) !== files.realpath(directory + skillFileSuffix));
}
