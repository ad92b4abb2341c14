// Reads the entries of directories to search.

import { type Dirent, readdirSync } from 'node:fs';

/** Reads the entries of a directory; `undefined` if it cannot be read. */
export function entriesOf(directory: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

const neverEntered: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** Checks whether an entry is a directory to search. */
export function isEntered(entry: Dirent): boolean {
  return entry.isDirectory() && !neverEntered.has(entry.name);
}
