// Decides where a listing cuts off a `SKILL.md`, because it keeps thousands of heads in memory at once.

import { maxHeadBytes } from '../skill/limits.ts';

const dash = 0x2d;
const lineFeed = 0x0a;

/** Finds the end of a head: after the line that closes the frontmatter, else at the limit. */
export function findHeadEnd(bytes: Uint8Array, limit: number = Math.min(bytes.length, maxHeadBytes)): number {
  if (bytes[0] !== dash) return limit;
  let fence = false;
  for (let at = 3; at < limit; at += 1) {
    if (bytes[at] !== lineFeed) continue;
    if (fence) return at + 1;
    fence = bytes[at + 1] === dash && bytes[at + 2] === dash && bytes[at + 3] === dash;
  }
  return limit;
}
