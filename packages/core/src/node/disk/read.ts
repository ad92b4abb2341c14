// Reads a file up to a limit, without trusting its reported size.

import { resolve } from 'node:path';
import { isSkillError } from '../../skill/error.ts';
import { checkCounts, checkDecision, checkKeys } from '../../skill/options.ts';
import { type ContainedFile, isBelow, openRegular, openVerified } from './contained-file.ts';
import { answerOf, describeErrno, errnoOf, type FileSystem, isLink, nodeFileSystem } from './file-system.ts';
import { resolveWithin, spellOnDisk } from './held-directory.ts';
import { findHazard } from './ownership.ts';

/** The text of a file, or why it could not be read. */
export type SmallText = { readonly text: string } | { readonly problem: string };

export interface ReadSmallTextOptions {
  /** A directory, without links in its path, that must contain the file. A link below it is a problem. */
  readonly within?: string | undefined;
  /**
   * Accepts a file even if other users can change it or a directory above it up to `within`.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
}

/**
 * Reads a small regular file as text. Follows links unless `within` is given. Returns `undefined` if there is no file. A broken
 * link is a problem, because its target may be missing only temporarily.
 *
 * @param maxBytes a longer file is a problem
 * @throws {SkillError} `options-invalid` if `maxBytes` is not a whole number or an option is not valid; also the system's error if
 * the process is out of descriptors, because that says nothing about the file
 */
export function readSmallText(
  path: string,
  maxBytes: number,
  options: ReadSmallTextOptions = {},
): SmallText | undefined {
  checkCounts({ maxBytes });
  checkKeys('options', options, ['within', 'allowUnsafe']);
  const { allowUnsafe = false } = options;
  checkDecision('allowUnsafe', allowUnsafe);
  const within = options.within === undefined ? undefined : resolveWithin(options.within);
  const files = nodeFileSystem;
  if (path.includes('\0')) return { problem: 'its path contains a NUL' };
  const absolute = within === undefined ? resolve(path) : spellOnDisk(resolve(path));
  try {
    const real = files.realpath(absolute);
    if (within !== undefined && real !== absolute) return { problem: 'it is behind a link, which is not followed' };
    // Also checked here, because a link may have appeared since the path was spelled.
    if (within !== undefined && !isBelow(within, real)) return { problem: 'it leads out of its directory' };
    const hazard = within === undefined || allowUnsafe ? undefined : findHazard(files, absolute, within);
    if (hazard !== undefined) return { problem: hazard };
    const file =
      within === undefined ? openRegular(files, real, absolute) : openVerified(files, within, absolute, absolute);
    const content = readAndClose(files, file, maxBytes + 1);
    if (content.length > maxBytes) return { problem: `it has more than ${maxBytes} bytes` };
    return { text: new TextDecoder().decode(content) };
  } catch (error) {
    const problem = explainFailure(error);
    if (problem !== undefined) return { problem };
    return isLink(files, absolute) ? { problem: 'it is a broken link' } : undefined;
  }
}

/**
 * Explains why a file could not be read; `undefined` if it does not exist. `place` is what the file must not leave. Rethrows "too
 * many open files".
 */
export function explainFailure(error: unknown, place = 'its directory'): string | undefined {
  if (isSkillError(error) && error.code === 'resource-outside-skill') return `it leads out of ${place}`;
  // Opening a pipe without a writer, a socket or a device fails in different ways.
  const errno = isSkillError(error) ? 'ENXIO' : answerOf(error);
  if (errno === 'ENXIO') return 'it is not a regular file';
  return errno === 'ENOENT' || errno === 'ENOTDIR' ? undefined : describeErrno(errno);
}

/** Reads at most `limit` bytes of an open file, whatever size it reports, and closes it. */
export function readAndClose(files: FileSystem, { descriptor, status }: ContainedFile, limit: number): Uint8Array {
  const { size: bytes } = status;
  try {
    // One byte more, to notice a file that is longer than its reported size, like files in `/proc`.
    const content = new Uint8Array(Math.min(bytes + 1, limit));
    const filled = readInto(files, descriptor, content, 0, content.length);
    if (filled <= bytes || filled === limit) return content.subarray(0, filled);
    const whole = new Uint8Array(limit);
    whole.set(content);
    return whole.subarray(0, filled + readInto(files, descriptor, whole, filled, limit - filled));
  } finally {
    files.close(descriptor);
  }
}

/** How often an interrupted read is repeated. */
const retries = 3;

/**
 * Reads up to `length` bytes into `into`, starting at `offset`. Returns the number of bytes read, which is less than `length`
 * only at the end of the file.
 */
export function readInto(
  files: FileSystem,
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
): number {
  let filled = 0;
  for (let interrupted = 0; filled < length; ) {
    try {
      const count = files.read(descriptor, into, offset + filled, length - filled);
      if (count === 0) break;
      filled += count;
      interrupted = 0;
    } catch (error) {
      const errno = errnoOf(error);
      if (interrupted === retries || (errno !== 'EINTR' && errno !== 'EAGAIN')) throw error;
      interrupted += 1;
    }
  }
  return filled;
}
