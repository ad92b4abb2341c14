// Reads the names in one directory that discovery cares for, whatever order the disk gives them in.

import { sep } from 'node:path';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { type FileSystem, orElse } from '../disk/file-system.ts';
import type { Slices } from '../disk/slices.ts';

export interface DirectoryNames {
  readonly directories: readonly string[];
  readonly links: readonly string[];
  /** A file that is `SKILL.md` but for its case. */
  readonly misspelled: string | undefined;
  /** Names of directories and links that are not UTF-8, as far as they can be shown; nothing can be opened by them. */
  readonly garbled: readonly string[];
  readonly truncated: boolean;
}

export interface ReadNamesOptions {
  /** Entries that are read before the rest is left out. */
  readonly maxEntries: number;
  /** Whether names that begin with a dot count. */
  readonly hidden: boolean;
  readonly signal: AbortSignal | undefined;
}

const neverEntered: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** Stands in a name for bytes that are not UTF-8; a name may also hold it itself. */
const replacement = '\ufffd';

/** Sorting more than this takes a slice of its own. */
export const sortedAtOnce = 10_000;

/** Reads the names of a directory as far as discovery cares for them, sorted by code unit. */
export async function readNames(
  files: FileSystem,
  path: string,
  slices: Slices,
  { maxEntries, hidden, signal }: ReadNamesOptions,
): Promise<DirectoryNames> {
  const directories: string[] = [];
  const links: string[] = [];
  const misspelled: string[] = [];
  const garbled = new Set<string>();
  const shown = new Set<string>();
  const directory = await waitForDescriptors(() => files.openDirectory(path), signal);
  let count = 0;
  let truncated = false;
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (count === maxEntries) {
        truncated = true;
        break;
      }
      count += 1;
      if (count % 1024 === 0 && slices.isOver()) await slices.rest();
      const { name } = entry;
      if ((!hidden && name.startsWith('.')) || neverEntered.has(name)) continue;
      const kind = entry.isDirectory() ? directories : entry.isSymbolicLink() ? links : undefined;
      if (kind !== undefined && name.includes(replacement)) {
        // Names that look alike are that of one at most.
        if (shown.has(name) || !isThere(files, path + sep + name)) garbled.add(name);
        else kind.push(name);
        shown.add(name);
      } else kind?.push(name);
      if (name !== 'SKILL.md' && name.length === 8 && name.toLowerCase() === 'skill.md') misspelled.push(name);
    }
    if (count > sortedAtOnce) await slices.rest();
    return {
      directories: directories.sort(),
      links: links.sort(),
      misspelled: misspelled.sort()[0],
      garbled: [...garbled].sort(),
      truncated,
    };
  } finally {
    directory.closeSync();
  }
}

/** Tells whether there is anything under a name, be it a link that leads nowhere. */
function isThere(files: FileSystem, path: string): boolean {
  return orElse(false, () => files.lstat(path) !== undefined);
}
