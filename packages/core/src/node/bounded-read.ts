// Reads from a descriptor up to a limit, whatever the size of the file claims to be.

import type { FileSystem } from './file-system.ts';

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
    const count = files.read(descriptor, into, offset + filled, length - filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
