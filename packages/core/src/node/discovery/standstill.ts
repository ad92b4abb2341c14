// Proves for many files at once that their names led where they say: the directories on the way have stood still.

import { dirname } from 'node:path';
import { containment } from '../disk/contained-file.ts';
import { type FileSystem, orElse } from '../disk/file-system.ts';

/** A way down to a directory, as it was when it was first looked at. */
export interface Standstill {
  /**
   * Tells whether nothing was put into, taken out of or exchanged in any directory of the way since: what was a directory in
   * the last of them was one all the time, and no link. Costs a look at each directory of the way.
   */
  readonly holds: () => boolean;
}

/**
 * File systems that give a directory the time of each change to it at once and by themselves, as Linux numbers them: ext,
 * XFS, Btrfs, tmpfs, F2FS, ZFS. A network's may answer with what it remembers, and an overlay with the time of its upper
 * layer, whatever is exchanged in a lower one.
 */
const timekeepers: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1]);

/** Milliseconds since the last change from which another one cannot have the same time; the coarsest clocks count seconds. */
const settledAfter = 2500;

/**
 * Looks at all directories from the top down to one; `undefined` where their times prove nothing: one of them has just
 * changed, is not what the path says, or is on a file system that is not known to keep time.
 *
 * No program can set the time of change (`ctime`) that this goes by; whoever can set the clock can do anything.
 *
 * @param directory path without a link in any part
 */
export function observeStandstill(files: FileSystem, directory: string): Standstill | undefined {
  if (containment() !== 'kernel') return undefined;
  const way = wayTo(directory);
  const before = way.map((path) => lookAt(files, path));
  if (!before.every((look) => look !== undefined && Date.now() - look.changed > settledAfter)) return undefined;
  if (!way.every((path) => isTimekeeper(files, path))) return undefined;
  return { holds: () => way.every((path, index) => lookAt(files, path)?.state === before[index]?.state) };
}

function wayTo(directory: string): readonly string[] {
  const way = [directory];
  for (let [path, above] = [directory, dirname(directory)]; above !== path; [path, above] = [above, dirname(above)]) {
    way.push(above);
  }
  return way;
}

/** Which directory this is and when it was last changed; `undefined` where it is none. */
function lookAt(files: FileSystem, path: string): { readonly state: string; readonly changed: number } | undefined {
  const status = orElse(undefined, () => files.lstat(path));
  if (status === undefined || !status.isDirectory()) return undefined;
  return { state: `${status.dev}:${status.ino}:${status.ctimeMs}`, changed: status.ctimeMs };
}

function isTimekeeper(files: FileSystem, path: string): boolean {
  return orElse(false, () => timekeepers.has(files.kindOf(path)));
}
