// Finds the plain fences that nearly all files have, several times as fast as a search line by line.

import { maxFrontmatterBytes } from '../../skill/limits.ts';

/** Bytes of a plain fence: three dashes and a line feed. */
export const plainFenceLength = 4;

const dash = 0x2d;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const numberSign = 0x23;

/**
 * Returns the offset of the closing fence if the first line and a later one are `---` and no line between them begins with
 * two dashes or a `#`; undefined if in doubt.
 */
export function findFastFence(bytes: Uint8Array): number | undefined {
  if (!isPlainFence(bytes, 0)) return undefined;
  const limit = Math.min(bytes.length, maxFrontmatterBytes);
  for (let start = plainFenceLength; start < limit; start += 1) {
    const before = bytes[start - 1];
    if (before === carriageReturn) return undefined;
    if (before !== lineFeed) continue;
    const first = bytes[start];
    if (first !== numberSign && !(first === dash && bytes[start + 1] === dash)) continue;
    return isPlainFence(bytes, start) && start + plainFenceLength <= limit ? start : undefined;
  }
  return undefined;
}

function isPlainFence(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === dash && bytes[at + 1] === dash && bytes[at + 2] === dash && bytes[at + 3] === lineFeed;
}
