// Makes a directory removable, whatever the permissions in it.

import { chmod, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a path that still leave room for a name below it. */
const longestPath = 1_024;

/**
 * Makes a directory and everything below it writable. Moves directories that are too deep for a path to its top. Ignores failures,
 * because removing the directory reports them.
 */
export async function openUp(base: string): Promise<void> {
  const queue = [base];
  for (const directory of queue) {
    await chmod(directory, 0o700).catch(() => {});
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const path = join(directory, entry.name);
      const isDeep = Buffer.byteLength(path) > longestPath;
      const place = isDeep ? join(base, crypto.randomUUID()) : path;
      if (isDeep) await rename(path, place).catch(() => {});
      if (entry.isDirectory()) queue.push(place);
    }
  }
}
