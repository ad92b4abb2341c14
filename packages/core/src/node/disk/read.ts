// Reads from a descriptor up to a limit, whatever the size of the file claims to be.

import { errnoOf, type FileSystem } from './file-system.ts';

/** Fills `into` from `offset` as far as the file goes, at most `length` bytes; gives the number of bytes read. */
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

/** Reads that were interrupted are made again, this often. */
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
