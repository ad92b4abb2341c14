// The few calls with which the core reads the disk, in one place, so that tests can make each of them fail.

import * as fs from 'node:fs';
import { constants } from 'node:os';

/** Yields the entries of an open directory, and closes it as soon as the loop ends. */
export function* entriesIn(directory: fs.Dir): Generator<fs.Dirent> {
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry;
  } finally {
    directory.closeSync();
  }
}

const bigint = { bigint: true } as const;

/** The calls of Node. They are synchronous, because a thread of the pool costs three times as much as a cached read. */
export const nodeFileSystem = {
  open: (path: string, flags: number): number => fs.openSync(path, flags),
  close: (descriptor: number): void => fs.closeSync(descriptor),
  read: (descriptor: number, into: Uint8Array, offset: number, length: number): number =>
    fs.readSync(descriptor, into, offset, length, null),
  stat: (path: string): fs.Stats => fs.statSync(path),
  lstat: (path: string): fs.Stats => fs.lstatSync(path),
  fstat: (descriptor: number): fs.Stats => fs.fstatSync(descriptor),
  /** Like `lstat`, with exact numbers that a double cannot represent. Costs twice as much. */
  lstatExactly: (path: string): fs.BigIntStats => fs.lstatSync(path, bigint),
  fstatExactly: (descriptor: number): fs.BigIntStats => fs.fstatSync(descriptor, bigint),
  /** Like `lstat`, but returns `undefined` if nothing is there. */
  lstatIfThere(path: string): fs.Stats | undefined {
    try {
      return fs.lstatSync(path, { throwIfNoEntry: false });
    } catch (error) {
      // Node throws `ENOTDIR` despite the option if a file is in the place of a directory.
      if (errnoOf(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  exists: (path: string): boolean => fs.existsSync(path),
  readlink: (path: string): string => fs.readlinkSync(path),
  realpath: (path: string): string => fs.realpathSync.native(path),
  openDirectory: (path: string): fs.Dir => fs.opendirSync(path, { bufferSize: 256 }),
  /** Returns the number of a type of file system, which each operating system defines for itself. */
  typeOf: (path: string): number => fs.statfsSync(path).type,
};

/** The calls of the file system that reading skills needs. Tests replace some of them. */
export type FileSystem = Readonly<typeof nodeFileSystem>;

/**
 * Returns the identity of the file or directory at a path, or behind a descriptor: its device and inode, exact even if a double
 * cannot represent them. Only the lower 32 bits of the device count: no system has more, but on Windows some versions of Node
 * return more bits for a path than for an open file.
 */
export function inodeOf(files: FileSystem, { dev, ino }: fs.Stats, place: string | number): string {
  if (Number.isSafeInteger(dev) && Number.isSafeInteger(ino)) return `${dev >>> 0}:${ino}`;
  const exact = typeof place === 'string' ? files.lstatExactly(place) : files.fstatExactly(place);
  return `${BigInt.asUintN(32, exact.dev)}:${exact.ino}`;
}

/**
 * Names by other codes of Node: `Unknown system error -116` for `ESTALE`, and that of its permission model, which refuses access
 * before the system is asked. Deno has such a model, too.
 *
 * @see https://nodejs.org/api/permissions.html
 * @see https://docs.deno.com/runtime/fundamentals/security/
 */
const otherCodes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(constants.errno).map(([name, number]) => [`Unknown system error -${number}`, name] as const),
  ['ERR_ACCESS_DENIED', 'EACCES'],
]);

/** A code of the file system. Windows reports errors that Node does not know as `UNKNOWN`, as for files of a cloud drive. */
const errnoPattern = /^(?:E[A-Z0-9]+|ERR_ACCESS_DENIED|UNKNOWN|Unknown system error -\d+)$/;

/** Returns the code of a failed call, such as `ENOENT`. Rethrows errors that are not from the file system. */
export function errnoOf(error: unknown): string {
  const { code, name } = Object(error);
  if (name === 'NotCapable') return 'EACCES';
  if (typeof code === 'string' && errnoPattern.test(code)) return otherCodes.get(code) ?? code;
  throw error;
}

/** Checks whether a call failed because too many files are open. */
export function isOutOfDescriptors(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(Object(error).code);
}

/** Returns what a failed query says about its path, such as `ENOENT`. Rethrows "too many open files", which says nothing about it. */
export function answerOf(error: unknown): string {
  if (isOutOfDescriptors(error)) throw error;
  return errnoOf(error);
}

/** Runs a disk query and returns `fallback` if it fails. Rethrows "too many open files". */
export function orElse<T>(fallback: T, query: () => T): T {
  try {
    return query();
  } catch (error) {
    answerOf(error);
    return fallback;
  }
}

/** Checks whether anything is at a path, even a broken link; true if unknown. */
export function mayBeThere(files: FileSystem, path: string): boolean {
  // Node throws for NUL. The path counts as existing, so that its source can report the problem.
  return path.includes('\0') || orElse(true, () => files.lstatIfThere(path) !== undefined);
}

/** Makes a change that nothing depends on, and ignores errors of the disk. */
export function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    errnoOf(error);
  }
}

/** Checks whether a path is a link, broken or not. */
export function isLink(files: FileSystem, path: string): boolean {
  return orElse(false, () => files.lstat(path).isSymbolicLink());
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOTDIR', 'not a directory'],
  ['EIO', 'the disk reported an error'],
  ['ELOOP', 'its links go in a circle'],
  ['ENXIO', 'not a regular file'],
  ['EEXIST', 'a file is in the way'],
  ['EBUSY', 'it is in use'],
  ['ENOTEMPTY', 'a directory is not empty'],
  ['ENOSPC', 'no space is left'],
  ['EROFS', 'the disk is read-only'],
  ['EDEADLK', 'a cloud drive has not downloaded it'],
  ['ESTALE', 'the network drive reported an error'],
  ['UNKNOWN', 'the system gave no reason'],
  ['EMFILE', 'too many files are open in this process'],
  ['ENFILE', 'too many files are open on this system'],
]);

/** Puts an error code into words, without the path that the system's message would show. */
export function describeErrno(errno: string): string {
  const words = reasons.get(errno);
  return words === undefined ? errno : `${words} (${errno})`;
}
