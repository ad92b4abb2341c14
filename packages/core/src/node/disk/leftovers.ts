// Names temporary files, and removes those that a crash left behind.

import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt, orElse } from './file-system.ts';

/** Returns a path in the same directory with a name that discovery ignores. A long name is cut, because a disk takes 255 bytes. */
export function temporaryPath(path: string, suffix: 'tmp' | 'trash' | 'broken'): string {
  const name = [...basename(path)].slice(0, 50).join('');
  // The end of a UUID is twelve random hexadecimal digits.
  return join(dirname(path), `.${name}.${crypto.randomUUID().slice(-12)}.${suffix}`);
}

/** Removes a temporary file or directory after a failure, which this must not hide. */
export function discardTemporary(path: string | undefined): void {
  if (path !== undefined) attempt(() => rmSync(path, { recursive: true, force: true }));
}

const leftoverName = /^\..+\.[0-9a-f]{12}\.(?:tmp|trash|broken)$/;

/** Recognises the name of something that an interrupted write left behind. It is never a skill or a file of a skill. */
export function isLeftover(name: string): boolean {
  return leftoverName.test(name);
}

/** Milliseconds after which a temporary file no longer belongs to a running process. */
const leftAfter = 3_600_000;

/** Removes what crashed processes left in a directory. If something cannot be removed, discovery still ignores it. */
export function removeLeftovers(directory: string): void {
  // Broken files are kept, so that people can look into them.
  removeOld(directory, leftAfter, (name) => isLeftover(name) && !name.endsWith('.broken'));
}

/** Removes everything with a certain name from a directory that was last changed so many milliseconds ago. */
export function removeOld(directory: string, milliseconds: number, isMeant: (name: string) => boolean): void {
  for (const name of orElse([], () => readdirSync(directory)).filter(isMeant)) {
    const path = join(directory, name);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined || Math.abs(Date.now() - status.mtimeMs) <= milliseconds) continue;
    attempt(() => rmSync(path, { recursive: true, force: true }));
  }
}
