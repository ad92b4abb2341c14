// Opens files so that no link and no race can lead out of a skill, by asking the kernel which file was really opened.

import { constants, type Stats } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type SkillProfile, showText } from '../../diagnostics/diagnostic.ts';
import { SkillError } from '../../skill/error.ts';
import { type FileSystem, inodeOf, nodeFileSystem, orElse } from './file-system.ts';

/** An open descriptor of a regular file that was proven to be below a directory. The caller must close it. */
export interface ContainedFile {
  readonly descriptor: number;
  readonly status: Stats;
  /** Changes whenever the file is written, moved or replaced. Absent shortly after such a change. */
  readonly stamp?: string;
}

/** `O_NOFOLLOW_ANY` of macOS: no part of the path may be a link. */
const noFollowAny = 0x2000_0000;

/** Flags that never block on a special file, never take over a terminal, and refuse a link as the last part of the path. */
const openFlags: number =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0) |
  (process.platform === 'darwin' ? noFollowAny : (constants.O_NOFOLLOW ?? 0));

/**
 * How often the path is checked again if the kernel cannot be asked. There are many checks, because a process that swaps files
 * can pass each one by chance. Outside Linux, fewer are enough: macOS opens no path with a link in it, and Windows does not
 * rename directories above an open file.
 */
const checksAfterwards: number = process.platform === 'linux' ? 40 : 6;

let kernelAnswers: boolean | undefined;

/**
 * Returns how well reads are confined to a skill while other processes change the disk: `kernel` if the kernel names the opened
 * file (Linux with `/proc`), else `best-effort`.
 */
export function containment(): 'kernel' | 'best-effort' {
  kernelAnswers ??= process.platform === 'linux' && orElse(false, askKernel);
  return kernelAnswers ? 'kernel' : 'best-effort';
}

function askKernel(): boolean {
  const descriptor = nodeFileSystem.open('/proc', constants.O_RDONLY);
  try {
    return nodeFileSystem.readlink(`/proc/self/fd/${descriptor}`) === '/proc';
  } finally {
    nodeFileSystem.close(descriptor);
  }
}

/**
 * Asks the kernel for the path of a descriptor; `undefined` if it does not answer, for example after the process dropped
 * privileges.
 */
export function pathOf(files: FileSystem, descriptor: number): string | undefined {
  if (containment() !== 'kernel') return undefined;
  return orElse(undefined, () => files.readlink(`/proc/self/fd/${descriptor}`));
}

/** Checks whether `path` is inside `directory`. Both must be without links. A directory is not inside itself. */
export function isBelow(directory: string, path: string): boolean {
  return path.startsWith(prefixOf(directory));
}

/** Checks whether `path` is `directory` or inside it. Both must be without links. */
export function isAtOrBelow(directory: string, path: string): boolean {
  return path === directory || isBelow(directory, path);
}

/** Returns a directory and all directories above it, nearest first. */
export function upwardsFrom(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwardsFrom(parent)];
}

/** Returns the relative path of a file in a directory, with `/` on every platform. */
export function pathBelow(directory: string, path: string): string {
  return path.slice(prefixOf(directory).length).replaceAll(sep, '/');
}

/** Returns the beginning of every path in a directory. The root of a file system already ends with a separator. */
export function prefixOf(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}

export interface ContainedOptions {
  /** Another path of the directory, through which it is accessed. */
  readonly at?: string;
  /** Real paths in the directory. The file must be below one of them. */
  readonly within?: readonly string[];
  /** Throws if the file must not be opened, given its path without links. */
  readonly checkFile?: ((real: string) => void) | undefined;
  /** Throws if the directory was replaced. Called only if the kernel cannot be asked. */
  readonly checkDirectory?: (() => void) | undefined;
}

/**
 * Opens a regular file below a directory. Links are followed if they stay inside.
 *
 * @param directory path without a link in any part
 * @throws {SkillError} `resource-outside-skill`, `resource-unreadable`; file system errors are thrown unchanged
 */
export function openContained(
  files: FileSystem,
  directory: string,
  segments: readonly string[],
  options: ContainedOptions = {},
): ContainedFile {
  const { at = directory, within = [directory] } = options;
  const path = showText(segments.join('/'));
  // Checked before opening, because even opening a device can have an effect.
  const real = files.realpath(join(at, ...segments));
  if (!within.some((allowed) => isBelow(allowed, real))) throw outside(path, directory, within);
  options.checkFile?.(real);
  return openVerified(files, directory, real, path, options);
}

/** Opens the file at `real`, a path without links below the directory, and proves that exactly this file was opened. */
export function openVerified(
  files: FileSystem,
  directory: string,
  real: string,
  path: string,
  { at = directory, within = [directory], checkFile, checkDirectory }: ContainedOptions = {},
): ContainedFile {
  const place = at === directory ? real : at + real.slice(directory.length);
  return openRegular(files, place, path, (descriptor, status) => {
    const opened = pathOf(files, descriptor);
    if (opened === undefined) {
      const inode = inodeOf(files, status, descriptor);
      /** Checks that the path still leads to the opened file. */
      const sameFile = (): void => {
        if (inodeOf(files, files.lstat(real), real) !== inode) throw outside(path);
      };
      /** Checks that no part of the path has become a link. */
      const noLinks = (): void => {
        if (files.realpath(real) !== real) throw outside(path);
      };
      const checks = [sameFile, noLinks, checkDirectory ?? noLinks];
      for (const check of checks) check();
      // In random order, because a fixed order can fall into step with a process that swaps files.
      for (let n = 0; n < checksAfterwards; n += 1) checks[Math.floor(Math.random() * checks.length)]?.();
    } else if (opened !== real) {
      if (opened.endsWith(' (deleted)')) throw new SkillError('resource-unreadable', `\`${path}\` was just deleted.`);
      if (!within.some((allowed) => isBelow(allowed, opened))) throw outside(path, directory, within);
      checkFile?.(opened);
    }
  });
}

/** Opens a regular file that is not a link. `prove` runs first, and throws if it is the wrong file. */
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
    if (!status.isFile()) {
      const what = status.isDirectory() ? 'is a directory. Name a file in it.' : 'is not a regular file.';
      throw new SkillError('resource-unreadable', `\`${path}\` ${what}`);
    }
    return isStable(status) ? { descriptor, status, stamp: stampOf(status) } : { descriptor, status };
  } catch (error) {
    files.close(descriptor);
    throw error;
  }
}

const numbers = new Float64Array(4);
const bytesOfNumbers: Buffer = Buffer.from(numbers.buffer);

/** Returns a stamp of the file's state, without reading the file. Even a write that restores size and time changes the stamp. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  numbers.set([ino, size, mtimeMs, ctimeMs]);
  // One character per byte, because writing numbers out takes four times as long.
  return bytesOfNumbers.toString('latin1');
}

/** Checks whether the next change will certainly have another time; false within one tick of the file system's clock. */
export function isStable({ ctimeMs }: Stats): boolean {
  // Some file systems count in steps of two seconds, so their times are whole seconds.
  const tick = ctimeMs % 1000 === 0 ? 2000 : 50;
  return Date.now() - ctimeMs > tick;
}

/** Checks whether a profile refuses a file with this number of hard links, because some may be outside the directory. */
export function isRefusedHardLink(links: number, profile: SkillProfile = 'lenient'): boolean {
  return links > 1 && profile !== 'lenient';
}

function outside(path: string, directory = '', within: readonly string[] = [directory]): SkillError {
  const names = within.map((allowed) => `\`${showText(allowed.slice(prefixOf(directory).length))}/\``).join(' and ');
  const where = within[0] === directory ? 'the skill directory' : names;
  return new SkillError('resource-outside-skill', `\`${path}\` leads out of ${where}.`);
}
