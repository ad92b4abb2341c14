// Opens a file so that no link and no race can lead out of the skill: the kernel is asked where the descriptor ended up.

import { constants, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { showText } from '../../diagnostics/diagnostic.ts';
import { SkillError } from '../../skill/error.ts';
import { errnoOf, type FileSystem, inodeOf, isOutOfDescriptors, nodeFileSystem, orElse } from './file-system.ts';

/** An open descriptor of a regular file that was proven to lie below a directory. Whoever receives it closes it. */
export interface ContainedFile {
  readonly descriptor: number;
  readonly bytes: number;
  /** Names that the file has on its disk; with more than one, some may be outside of the directory. */
  readonly links: number;
  /** Differs whenever the file was written, moved or replaced; absent just after that. */
  readonly stamp?: string;
}

/** O_NOFOLLOW_ANY of macOS: no part of the path may be a link. */
const noFollowAny = 0x2000_0000;

/** A special file must not block the open, a terminal must not become ours, and the last part must not be a link. */
export const openFlags: number =
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
    if (isOutOfDescriptors(errnoOf(error))) throw error;
    return false;
  }
}

/** Asks the kernel where a descriptor is; `undefined` where it does not say, as after a process gave up its privileges. */
export function pathOf(files: FileSystem, descriptor: number): string | undefined {
  if (containment() !== 'kernel') return undefined;
  return orElse(undefined, () => files.readlink(`/proc/self/fd/${descriptor}`));
}

/** True where `path` is inside `directory`; both without links. The directory itself is not inside. */
export function isBelow(directory: string, path: string): boolean {
  return path.startsWith(prefixOf(directory));
}

/** What the path of everything in a directory begins with; the root of a file system ends with its separator already. */
export function prefixOf(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}

/**
 * Opens a regular file below a directory, through links as long as they stay inside.
 *
 * @param directory path of the directory without a link in any part
 * @throws {SkillError} `resource-outside-skill`, `resource-unreadable`; errors of the file system as they are
 */
export function openContained(files: FileSystem, directory: string, segments: readonly string[]): ContainedFile {
  const path = showText(segments.join('/'));
  // Refused before it is opened: to open a device can already do something.
  const real = files.realpath(join(directory, ...segments));
  if (!isBelow(directory, real)) throw outside(path);
  return openVerified(files, directory, real, path);
}

/** Opens the file at `real`, a path below the directory and like it without links, and proves that it is what was opened. */
export function openVerified(files: FileSystem, directory: string, real: string, path: string): ContainedFile {
  return openRegular(files, real, path, (descriptor, status) => {
    const opened = pathOf(files, descriptor);
    if (opened === undefined) {
      const inode = inodeOf(status, () => files.fstatExactly(descriptor));
      for (let pass = 0; pass < passes; pass += 1) checkAgain(files, real, inode, path);
    } else if (opened !== real && (!isBelow(directory, opened) || opened.endsWith(' (deleted)'))) {
      throw outside(path);
    }
  });
}

/** Opens a regular file that is no link; `prove` throws where it is not the one that was meant, and comes before any other look. */
export function openRegular(
  files: FileSystem,
  real: string,
  path: string,
  prove?: (descriptor: number, status: Stats) => void,
): ContainedFile {
  const descriptor = files.open(real, openFlags);
  try {
    const status = files.fstat(descriptor);
    prove?.(descriptor, status);
    if (!status.isFile()) throw new SkillError('resource-unreadable', `\`${path}\` is not a regular file.`);
    const { size: bytes, nlink: links } = status;
    return isSettled(status) ? { descriptor, bytes, links, stamp: stampOf(status) } : { descriptor, bytes, links };
  } catch (error) {
    files.close(descriptor);
    throw error;
  }
}

/** What the system says of a file without its content: also a write that restores size and time leaves a trace here. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  // Joined, because a template would keep each of its parts, and a stamp is kept with every skill. Files that were never
  // touched since they were written have one time, and a number costs more to write than to compare.
  return (mtimeMs === ctimeMs ? [ino, size, ctimeMs] : [ino, size, mtimeMs, ctimeMs]).join(':');
}

/** The clock of a file system is coarse: a second write within its tick, in milliseconds, would leave the same stamp. */
const tick = 50;

function isSettled({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs > tick;
}

/** Looks again, where the kernel does not say what was opened: the path leads through no link, and to the same file. */
function checkAgain(files: FileSystem, real: string, inode: string, path: string): void {
  if (files.realpath(real) !== real) throw outside(path);
  if (inodeOf(files.lstat(real), () => files.lstatExactly(real)) !== inode) throw outside(path);
}

function outside(path: string): SkillError {
  return new SkillError('resource-outside-skill', `\`${path}\` leads out of the skill directory.`);
}
