// Opens a file so that no link and no race can lead out of the skill: the kernel is asked where the descriptor ended up.

import { constants, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { SkillError } from '../error.ts';
import { errnoOf, type FileSystem, inodeOf, isExhaustion, nodeFileSystem } from './file-system.ts';

/** A directory as it was when it was found; another directory at the same path is not it. */
export interface PinnedDirectory {
  /** Without a symbolic link in any part. */
  readonly realPath: string;
  /** Device and inode. */
  readonly inode: string;
}

/** An open descriptor of a regular file that was proven to lie below a directory. Whoever receives it closes it. */
export interface ContainedFile {
  readonly descriptor: number;
  readonly bytes: number;
  /** Differs whenever the file was written, moved or replaced; absent just after that. */
  readonly stamp?: string;
}

/** O_NOFOLLOW_ANY of macOS: no part of the path may be a link. */
const noFollowAny = 0x2000_0000;

/** A special file must not block the open, a terminal must not become ours, and the last part must not be a link. */
const openFlags: number =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0) |
  (process.platform === 'darwin' ? noFollowAny : (constants.O_NOFOLLOW ?? 0));

/** Passes of the check that stands in where the kernel cannot be asked; one pass was seen to fail, three were not. */
const passes = 3;

let kernelAnswers: boolean | undefined;

/**
 * Says how sure it is that a read never leaves its skill while others change the disk: `kernel` where the kernel names
 * the opened file (Linux with `/proc`), else `best-effort`.
 */
export function containment(): 'kernel' | 'best-effort' {
  kernelAnswers ??= askKernel(nodeFileSystem);
  return kernelAnswers ? 'kernel' : 'best-effort';
}

function askKernel(files: FileSystem): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const descriptor = files.open('/', constants.O_RDONLY);
    try {
      return files.readlink(`/proc/self/fd/${descriptor}`) === '/';
    } finally {
      files.close(descriptor);
    }
  } catch (error) {
    if (isExhaustion(errnoOf(error))) throw error;
    return false;
  }
}

/** The inode at a path, which is not followed if it is a link. */
export function inodeAt(files: FileSystem, path: string): string {
  return inodeOf(files.lstat(path), () => files.lstatExactly(path));
}

/** Asks the kernel where a descriptor is; `undefined` where it does not say, as after a process gave up its privileges. */
export function pathOf(files: FileSystem, descriptor: number): string | undefined {
  if (containment() !== 'kernel') return undefined;
  try {
    return files.readlink(`/proc/self/fd/${descriptor}`);
  } catch (error) {
    if (isExhaustion(errnoOf(error))) throw error;
    return undefined;
  }
}

/** True where `path` is inside `directory`; both without links. The directory itself is not inside. */
export function isBelow(directory: string, path: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/**
 * Opens a regular file below a pinned directory, through links as long as they stay inside.
 *
 * @throws {SkillError} `resource-outside-skill`, `resource-unreadable`; errors of the file system as they are
 */
export function openContained(
  files: FileSystem,
  directory: PinnedDirectory,
  segments: readonly string[],
): ContainedFile {
  const path = segments.join('/');
  // Refused before it is opened: to open a device can already do something.
  const real = files.realpath(join(directory.realPath, ...segments));
  if (!isBelow(directory.realPath, real)) throw outside(path);
  const file = openVerified(files, directory, real, path);
  try {
    if (inodeAt(files, directory.realPath) !== directory.inode) throw replaced();
    return file;
  } catch (error) {
    files.close(file.descriptor);
    throw error;
  }
}

/** Opens the file at `real`, a path without links, and proves that it is what was opened. Whether the directory is still the same one is not asked. */
export function openVerified(files: FileSystem, directory: PinnedDirectory, real: string, path: string): ContainedFile {
  const descriptor = files.open(real, openFlags);
  try {
    const status = files.fstat(descriptor);
    const opened = pathOf(files, descriptor);
    if (opened === undefined) {
      const inode = inodeOf(status, () => files.fstatExactly(descriptor));
      for (let pass = 0; pass < passes; pass += 1) checkParts(files, directory, real, inode, path);
    } else if (!isBelow(directory.realPath, opened) || opened.endsWith(' (deleted)')) {
      throw outside(path);
    }
    if (!status.isFile()) throw new SkillError('resource-unreadable', `\`${path}\` is not a regular file.`);
    const { size: bytes } = status;
    return isSettled(status) ? { descriptor, bytes, stamp: stampOf(status) } : { descriptor, bytes };
  } catch (error) {
    files.close(descriptor);
    throw error;
  }
}

/** What the system says of a file without its content: also a write that restores size and time leaves a trace here. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  // Joined, because a template would keep each of its parts, and a stamp is kept with every skill.
  return [ino, size, mtimeMs, ctimeMs].join(':');
}

/** The clock of a file system is coarse: a second write within its tick, in milliseconds, would leave the same stamp. */
const tick = 50;

function isSettled({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs > tick;
}

/** Looks at every part of the path again: none may be a link, the last must be the file that was opened. */
function checkParts(files: FileSystem, directory: PinnedDirectory, real: string, inode: string, path: string): void {
  let current = directory.realPath;
  const parts = real.slice(directory.realPath.length).split(sep).filter(Boolean);
  for (const [index, part] of parts.entries()) {
    current = join(current, part);
    const status = files.lstat(current);
    if (status.isSymbolicLink()) throw outside(path);
    const isLast = index === parts.length - 1;
    if (isLast ? inodeAt(files, current) !== inode : !status.isDirectory()) throw outside(path);
  }
}

function outside(path: string): SkillError {
  return new SkillError('resource-outside-skill', `\`${path}\` leads out of the skill directory.`);
}

function replaced(): SkillError {
  return new SkillError(
    'resource-unreadable',
    'The skill directory was replaced since it was found. Reload the catalog.',
  );
}
