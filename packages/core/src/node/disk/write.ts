// Writes a file so that a crash at any moment leaves either the old or the new content.

import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { checkKeys, checkTexts } from '../../skill/options.ts';
import { openRegular } from './contained-file.ts';
import { syncDirectory } from './directory.ts';
import { attempt, describeErrno, errnoOf, nodeFileSystem } from './file-system.ts';
import { type HeldDirectory, openDirectory } from './held-directory.ts';
import { discardTemporary, removeLeftovers, temporaryPath } from './leftovers.ts';
import { readAndClose } from './read.ts';

/** Milliseconds before each further attempt, two seconds in total, because virus scanners on Windows lock files for a moment. */
const renameDelays: readonly number[] = [20, 50, 100, 200, 400, 600, 630];

export interface ReplaceFileOptions {
  /**
   * Permissions of the file, as far as the umask allows.
   * @default 0o600
   */
  readonly mode?: number | undefined;
  /**
   * Keeps a link to the file, and the permissions to read, write and execute it. The file must exist.
   * @default false
   */
  readonly inPlace?: boolean | undefined;
  /**
   * A directory without links in its path. Nothing is written if a link leads out of it. If `containment` returns `kernel`, this
   * includes a link that has just appeared.
   */
  readonly within?: string | undefined;
  /**
   * The text that the file must still have. Requires `inPlace`. Two processes that write within about a millisecond may both
   * succeed.
   */
  readonly expected?: string | undefined;
}

/**
 * Writes a whole file so that a crash at any moment leaves either the old or the new content. Creates missing directories, and
 * replaces a link instead of following it. A file that root replaces keeps its owner.
 *
 * @throws {SkillError} `write-failed`; `skill-protected` because of `within` or `expected`; `options-invalid`. The old content is
 * intact
 */
export async function replaceFile(path: string, text: string, options: ReplaceFileOptions = {}): Promise<void> {
  checkKeys('options', options, ['mode', 'inPlace', 'within', 'expected']);
  checkTexts({ text });
  const { mode = 0o600, inPlace = false, within, expected } = options;
  let directory: HeldDirectory | undefined;
  let temporary: string | undefined;
  try {
    const name = inPlace ? realpathSync.native(path) : path;
    directory = openDirectory(dirname(name), within);
    const target = join(directory.path, basename(name));
    if (expected !== undefined) checkUnchanged(target, expected, path);
    removeLeftovers(directory.path);
    temporary = temporaryPath(target, 'tmp');
    const old = fileAt(target);
    if (inPlace && old === undefined) throw replaced(path);
    writeNewFile(temporary, text, { mode, old, keepsMode: inPlace });
    directory.check();
    await renamePatiently(temporary, target);
    syncChange(directory.path);
  } catch (error) {
    discardTemporary(temporary);
    throw writeFailed(error);
  } finally {
    directory?.close();
  }
}

/** Checks that a file has this text and is not a link. */
function checkUnchanged(target: string, expected: string, path: string): void {
  const bytes = new TextEncoder().encode(expected);
  try {
    const file = openRegular(nodeFileSystem, target, target);
    if (Buffer.compare(readAndClose(nodeFileSystem, file, bytes.length + 1), bytes) === 0) return;
  } catch (error) {
    if (!isSkillError(error) && !['ELOOP', 'ENXIO', 'ENOENT'].includes(errnoOf(error))) throw error;
  }
  throw replaced(path);
}

/** Returns the status of a file; undefined for a link, whose owner and permissions mean nothing. */
function fileAt(path: string): Stats | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status?.isFile() ? status : undefined;
}

function replaced(path: string): SkillError {
  const message = `\`${path}\` was changed or replaced meanwhile, so nothing was written. Try again.`;
  return new SkillError('skill-protected', message);
}

interface NewFileOptions {
  /** Permissions of the file, as far as the umask allows. */
  readonly mode: number;
  /** The file that it will replace. */
  readonly old?: Stats | undefined;
  /** Gives it the permissions of the old file instead. */
  readonly keepsMode?: boolean;
}

/** Writes a file that must not exist yet, and waits until it is on the disk. */
export function writeNewFile(path: string, text: string, { mode, old, keepsMode = false }: NewFileOptions): void {
  const bytes = new TextEncoder().encode(text);
  const descriptor = openSync(path, 'wx', mode);
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    // By its descriptor, because the path may lead elsewhere by now.
    // Only root may give a file away. With `sudo` or in a container, it would lock people out of their own files.
    if (old !== undefined) attempt(() => fchownSync(descriptor, old.uid, old.gid));
    // Without set-user-ID.
    if (old !== undefined && keepsMode) fchmodSync(descriptor, old.mode & 0o777);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Renames a directory. Only on Windows does an open file in it prevent that for a while. */
export async function moveDirectory(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return renamePatiently(from, to);
  renameSync(from, to);
}

async function renamePatiently(from: string, to: string): Promise<void> {
  for (const delay of renameDelays) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== 'EBUSY' && errno !== 'EPERM') throw error;
      await setTimeout(delay);
    }
  }
  renameSync(from, to);
}

/**
 * Ensures that a change in a directory survives a power cut.
 *
 * @throws {SkillError} `write-failed`, with the note that the change was made
 */
export function syncChange(directory: string): void {
  try {
    syncDirectory(directory);
  } catch (error) {
    throw writeFailed(error, 'the change is made, but a power cut may undo it');
  }
}

/**
 * Creates the error for a failed write; rethrows an error that is not from the file system. It contains only the code of the
 * system's error, because its message shows paths of the machine.
 */
export function writeFailed(error: unknown, outcome = 'existing files are unchanged'): SkillError {
  const errno = errnoOf(error);
  const cause = Object.assign(new Error(errno), { code: errno });
  return new SkillError('write-failed', `Writing to the disk failed: ${describeErrno(errno)}; ${outcome}.`, { cause });
}
