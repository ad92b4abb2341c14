// Reads a file up to a limit, whatever its size claims to be.

import { isSkillError } from '../../skill/error.ts';
import { openRegular, openVerified } from './contained-file.ts';
import { describeErrno, errnoOf, type FileSystem, isLink, isOutOfDescriptors, nodeFileSystem } from './file-system.ts';
import { findHazard } from './ownership.ts';

/** The text of a file, or why it was not read. */
export type SmallText = { readonly text: string } | { readonly problem: string };

export interface ReadSmallTextOptions {
  /** Directory without a link in its path that the file is in; a link below it is a problem. */
  readonly within?: string | undefined;
  /**
   * Accepts a file or a directory of `within` that other users can change.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
}

/**
 * Reads a small regular file as text, also through links unless `within` is given. Returns `undefined` if there is none; a broken link is a problem,
 * because its target may only be missing for now.
 *
 * @param maxBytes a longer file is a problem
 * @throws if the process is out of descriptors, because that says nothing about the file
 */
export function readSmallText(
  path: string,
  maxBytes: number,
  { within, allowUnsafe = false }: ReadSmallTextOptions = {},
): SmallText | undefined {
  const files = nodeFileSystem;
  try {
    const real = files.realpath(path);
    if (within !== undefined && real !== path) return { problem: 'it is behind a link, which is not followed' };
    const hazard = within === undefined || allowUnsafe ? undefined : findHazard(files, path, within);
    if (hazard !== undefined) return { problem: `${hazard}, or a directory above it` };
    const { descriptor, bytes } =
      within === undefined ? openRegular(files, real, path) : openVerified(files, within, path, path);
    try {
      // One byte more, to see whether the file is longer.
      let content = new Uint8Array(Math.min(bytes, maxBytes) + 1);
      let filled = readInto(files, descriptor, content, 0, content.length);
      if (filled > bytes && filled <= maxBytes) {
        // It has more bytes than it claims, as the files of `/proc` do.
        const whole = new Uint8Array(maxBytes + 1);
        whole.set(content);
        content = whole;
        filled += readInto(files, descriptor, content, filled, content.length - filled);
      }
      if (filled > maxBytes) return { problem: `it has more than ${maxBytes} bytes` };
      return { text: new TextDecoder().decode(content.subarray(0, filled)) };
    } finally {
      files.close(descriptor);
    }
  } catch (error) {
    // Opening a pipe without a writer, a socket or a device fails in different ways.
    if (isSkillError(error)) return { problem: 'it is not a regular file' };
    const errno = errnoOf(error);
    if (isOutOfDescriptors(errno)) throw error;
    if (errno === 'ENXIO') return { problem: 'it is not a regular file' };
    if (errno !== 'ENOENT' && errno !== 'ENOTDIR') return { problem: describeErrno(errno) };
    return isLink(files, path) ? { problem: 'it is a broken link' } : undefined;
  }
}

/** Reads up to `length` bytes into `into`, from `offset` on. Returns the number of bytes read; fewer only at the end of the file. */
export function readInto(
  files: FileSystem,
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
): number {
  let filled = 0;
  while (filled < length) {
    const count = readPatiently(files, descriptor, into, offset + filled, length - filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** How often an interrupted read is repeated. */
const retries = 3;

function readPatiently(
  files: FileSystem,
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
): number {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return files.read(descriptor, into, offset, length);
    } catch (error) {
      const errno = errnoOf(error);
      if (attempt === retries || (errno !== 'EINTR' && errno !== 'EAGAIN')) throw error;
    }
  }
}
