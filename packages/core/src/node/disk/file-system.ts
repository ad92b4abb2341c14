// The few calls through which the core touches the disk, in one place so that a test can make each of them fail.

import * as fs from 'node:fs';

/** Synchronous, because a pool thread costs three times what a cached read does. */
export interface FileSystem {
  readonly open: (path: string, flags: number) => number;
  readonly close: (descriptor: number) => void;
  readonly read: (descriptor: number, into: Uint8Array, offset: number, length: number) => number;
  readonly stat: (path: string) => fs.Stats;
  readonly lstat: (path: string) => fs.Stats;
  readonly fstat: (descriptor: number) => fs.Stats;
  /** With numbers that do not fit into a double; costs twice as much. */
  readonly lstatExactly: (path: string) => fs.BigIntStats;
  readonly fstatExactly: (descriptor: number) => fs.BigIntStats;
  /** As `stat`; `undefined` where there is nothing. */
  readonly statIfThere: (path: string) => fs.Stats | undefined;
  readonly exists: (path: string) => boolean;
  readonly readlink: (path: string) => string;
  readonly realpath: (path: string) => string;
  readonly openDirectory: (path: string) => fs.Dir;
}

const bigint = { bigint: true } as const;

export const nodeFileSystem: FileSystem = {
  open: (path, flags) => fs.openSync(path, flags),
  close: (descriptor) => fs.closeSync(descriptor),
  read: (descriptor, into, offset, length) => fs.readSync(descriptor, into, offset, length, null),
  stat: (path) => fs.statSync(path),
  lstat: (path) => fs.lstatSync(path),
  fstat: (descriptor) => fs.fstatSync(descriptor),
  lstatExactly: (path) => fs.lstatSync(path, bigint),
  fstatExactly: (descriptor) => fs.fstatSync(descriptor, bigint),
  statIfThere: (path) => fs.statSync(path, { throwIfNoEntry: false }),
  exists: (path) => fs.existsSync(path),
  readlink: (path) => fs.readlinkSync(path),
  realpath: (path) => fs.realpathSync.native(path),
  openDirectory: (path) => fs.opendirSync(path, { bufferSize: 256 }),
};

/**
 * Names a file or directory within this machine: device and inode, exact also where a double cannot hold them. Of the device
 * only the lower 32 bits count: no system has more, but some versions of Node on Windows show more of them for a path than
 * for an open file.
 */
export function inodeOf({ dev, ino }: fs.Stats, exactly: () => fs.BigIntStats): string {
  if (Number.isSafeInteger(dev) && Number.isSafeInteger(ino)) return `${dev >>> 0}:${ino}`;
  const exact = exactly();
  return `${BigInt.asUintN(32, exact.dev)}:${exact.ino}`;
}

/** Reads the code of a failed call, such as `ENOENT`; anything else is not from the file system and is thrown again. */
export function errnoOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code))
    return error.code;
  throw error;
}

/** True for the codes that say "too many open files": the answer then is unknown, never "there is none". */
export function isOutOfDescriptors(errno: string): boolean {
  return errno === 'EMFILE' || errno === 'ENFILE';
}

/**
 * Gives what a look at the disk tells, and `otherwise` where the disk refuses to tell. That too many files are open tells
 * nothing, so it is thrown again.
 */
export function orElse<T>(otherwise: T, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (isOutOfDescriptors(errnoOf(error))) throw error;
    return otherwise;
  }
}

/** Tells whether a path is a link, wherever that leads. */
export function isLink(files: FileSystem, path: string): boolean {
  return orElse(false, () => files.lstat(path).isSymbolicLink());
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOTDIR', 'not a directory'],
  ['EIO', 'the disk reported an error'],
  ['ELOOP', 'its links go in a circle'],
]);

/** Gives the words for a code, without the path that the system's own message would show. */
export function reasonOf(errno: string): string {
  const words = reasons.get(errno);
  return words === undefined ? errno : `${words} (${errno})`;
}
