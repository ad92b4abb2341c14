// Finds the files that were open when this process began, because every program that it starts would get them, too.

import { readdirSync, readFileSync } from 'node:fs';

/** The mark of a descriptor that a new program does not get, as in `O_CLOEXEC`. */
const isClosedOnStart = 0o2000000;

/** Returns the highest descriptor that a new program would get, 2 if there are none but input, output and errors. Linux only. */
export function highestInherited(): number {
  try {
    return Math.max(2, ...readdirSync('/proc/self/fd').map(Number).filter(isInherited));
  } catch {
    return 2;
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & isClosedOnStart) === 0;
  } catch {
    // This descriptor was open only for the listing.
    return false;
  }
}
