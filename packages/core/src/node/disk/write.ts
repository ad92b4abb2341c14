// Writes a file so that a crash at any moment leaves the old content or the new one, never a part.

import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { errnoOf } from './file-system.ts';

/** The calls that change the disk, so that a test can make each of them fail. */
export interface DiskWrites {
  /** Creates a file that must not exist, with these permissions as far as the umask allows. */
  readonly create: (path: string, mode: number) => number;
  readonly write: (descriptor: number, bytes: Uint8Array, offset: number) => number;
  readonly sync: (descriptor: number) => void;
  readonly close: (descriptor: number) => void;
  readonly rename: (from: string, to: string) => void;
}

/** The calls as Node has them. */
export const nodeDiskWrites: DiskWrites = {
  create: (path, mode) => openSync(path, 'wx', mode),
  write: (descriptor, bytes, offset) => writeSync(descriptor, bytes, offset),
  sync: (descriptor) => fsyncSync(descriptor),
  close: (descriptor) => closeSync(descriptor),
  rename: (from, to) => renameSync(from, to),
};

/** Virus scanners on Windows hold files for a moment. Milliseconds before each further attempt; two seconds in all. */
const renameDelays: readonly number[] = [20, 50, 100, 200, 400, 600, 630];

/** Twelve digits. The module of Node for it takes longer to start than all of this package. */
function randomHex(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}

/** A name that discovery passes over, beside the thing that it will become. */
export function temporaryPath(path: string, suffix: 'tmp' | 'trash' | 'broken'): string {
  return join(dirname(path), `.${basename(path)}.${randomHex()}.${suffix}`);
}

export interface ReplaceFileOptions {
  /**
   * Permissions of the file, as far as the umask allows.
   * @default 0o600
   */
  readonly mode?: number | undefined;
  /**
   * Keeps the permissions of the file that is replaced, and a link to it; the file must exist.
   * @default false
   */
  readonly inPlace?: boolean | undefined;
}

/**
 * Writes a file as a whole: a crash at any moment leaves the old content or the new. Makes missing directories, and replaces
 * a link instead of following it.
 *
 * @throws {SkillError} `write-failed`, with the old content intact
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode = 0o600, inPlace = false, disk = nodeDiskWrites }: ReplaceFileOptions & { readonly disk?: DiskWrites } = {},
): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = inPlace ? realpathSync.native(path) : path;
    makeDirectory(dirname(target));
    temporary = temporaryPath(target, 'tmp');
    writeNewFile(temporary, text, disk, mode);
    if (inPlace) chmodSync(temporary, statSync(target).mode & 0o7777);
    await renamePatiently(temporary, target, disk);
    settleDirectory(dirname(target));
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw isSkillError(error) ? error : writeFailed(error);
  }
}

/** Writes a file that must not exist and waits until the disk has it. */
export function writeNewFile(path: string, text: string, disk: DiskWrites = nodeDiskWrites, mode = 0o600): void {
  const bytes = new TextEncoder().encode(text);
  const descriptor = disk.create(path, mode);
  try {
    for (let offset = 0; offset < bytes.length; ) offset += disk.write(descriptor, bytes, offset);
    disk.sync(descriptor);
  } finally {
    disk.close(descriptor);
  }
}

async function renamePatiently(from: string, to: string, disk: DiskWrites): Promise<void> {
  for (const delay of renameDelays) {
    try {
      return disk.rename(from, to);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== 'EBUSY' && errno !== 'EPERM') throw error;
      await setTimeout(delay);
    }
  }
  disk.rename(from, to);
}

/** Makes the names in a directory last through a power cut, where the system lets a directory be synced. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems know no such thing.
    if (!['EINVAL', 'ENOTSUP'].includes(errnoOf(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a change that is made in a directory last.
 *
 * @throws {SkillError} `write-failed`, which says that the change is made all the same
 */
export function settleDirectory(path: string): void {
  try {
    syncDirectory(path);
  } catch (error) {
    throw writeFailed(error, 'the change is made, but may not last through a power cut');
  }
}

/** Makes a directory and those above it that are missing, to last as what is then put into it. */
export function makeDirectory(path: string, mode = 0o777): void {
  const directory = resolve(path);
  if (isDirectory(directory)) return;
  // One by one: where nothing can be made, as below `/proc`, Node makes all at once without ever coming to an end.
  if (dirname(directory) !== directory) makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    if (isDirectory(directory)) return;
    throw error;
  }
  syncDirectory(dirname(directory));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Removes a file; that somebody else removed it first is fine. */
export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Milliseconds after which what has a temporary name was left behind by a crash. */
const abandonedAfter = 3_600_000;

/** Names of a directory that are looked at, so that one which is full of other things costs milliseconds. */
const maxNames = 10_000;

/**
 * Removes from a directory what crashed processes left behind, as far as that can be removed; discovery passes over it in any
 * case.
 */
export function collectAbandoned(directory: string): void {
  for (const name of namesIn(directory)) {
    if (!/^\..+\.[0-9a-f]{12}\.(?:tmp|trash)$/.test(name)) continue;
    const path = join(directory, name);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined || Math.abs(Date.now() - status.mtimeMs) <= abandonedAfter) continue;
    attempt(() => rmSync(path, { recursive: true, force: true }));
  }
}

function namesIn(path: string): readonly string[] {
  const names: string[] = [];
  attempt(() => {
    const directory = opendirSync(path, { bufferSize: 256 });
    try {
      for (let entry = directory.readSync(); entry !== null && names.length < maxNames; entry = directory.readSync()) {
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  });
  return names;
}

/** Makes a change that nothing depends on, so that the disk may refuse it. */
export function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    errnoOf(error);
  }
}

/** Says what became of the disk. The system's message names a path of the host, so only its code goes on. */
export function writeFailed(error: unknown, outcome = 'what was there before is unchanged'): SkillError {
  const errno = errnoOf(error);
  const cause = Object.assign(new Error(errno), { code: errno });
  return new SkillError('write-failed', `The disk refused to write (${errno}); ${outcome}.`, { cause });
}
