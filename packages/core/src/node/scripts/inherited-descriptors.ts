// Finds the files that were already open when this process started, because every program that it starts would inherit them.

import { readdirSync, readFileSync } from 'node:fs';

/** Flag of a descriptor that a new program does not inherit: `O_CLOEXEC`. */
const isClosedOnStart = 0o2000000;

/** Returns the highest descriptor that a new program would inherit, at least 2 for input, output and errors. Linux only. */
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
    // This descriptor was open only to list the directory.
    return false;
  }
}
