// Reads the names in a directory that matter to discovery, in an order that does not depend on the disk.

import { sep } from 'node:path';
import type { Turn } from '../../runtime/turns.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { entriesIn, type FileSystem, orElse } from '../disk/file-system.ts';
import { isLeftover } from '../disk/leftovers.ts';

/** What a directory contains, as far as the search for skills needs it. */
export interface DirectoryNames {
  readonly directories: readonly string[];
  readonly links: readonly string[];
  /** Whether anything is called `SKILL.md`. */
  readonly isSkill: boolean;
  /** A file that was probably meant to be the `SKILL.md`. */
  readonly misspelled: string | undefined;
  /** Names of directories and links that are not UTF-8, with replacement characters. They cannot be opened. */
  readonly garbled: readonly string[];
  readonly truncated: boolean;
}

export interface ReadNamesOptions {
  /** The most entries to read; the rest is left out. */
  readonly maxEntries: number;
  /** Whether to return names that begin with a dot. */
  readonly hidden: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Directories that are never searched for skills or files of a skill. */
export const neverEntered: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', '__pycache__', '__MACOSX'],
]);

/** Node replaces bytes that are not UTF-8 with this character. A name may also really contain it. */
export const replacementCharacter = '\ufffd';

/** Other letter case, and the ending that editors on Windows add and its file manager hides. */
const misspelling = /^skill\.md(?:\.txt)?$/iu;

/** Reads the names in a directory that matter to discovery, sorted by code unit. */
export async function readNames(
  files: FileSystem,
  path: string,
  turn: Turn,
  { maxEntries, hidden, signal }: ReadNamesOptions,
): Promise<DirectoryNames> {
  const directories: string[] = [];
  const links: string[] = [];
  const misspelled: string[] = [];
  const garbled = new Set<string>();
  const shown = new Set<string>();
  const isReal = (name: string): boolean => {
    if (!name.includes(replacementCharacter)) return true;
    // Of several names that are shown the same way, at most one is real.
    const isFirst = !shown.has(name);
    shown.add(name);
    return isFirst && orElse(false, () => files.lstat(path + sep + name) !== undefined);
  };
  const directory = await waitForDescriptors(() => files.openDirectory(path), signal);
  let count = 0;
  let isSkill = false;
  let truncated = false;
  for (const entry of entriesIn(directory)) {
    if (count === maxEntries) {
      truncated = true;
      break;
    }
    count += 1;
    if (count % 1024 === 0) await turn(signal);
    const { name } = entry;
    if (neverEntered.has(name) || (name.startsWith('.') && (!hidden || isLeftover(name)))) continue;
    // An entry without a type is looked at like a link, because some file systems do not tell the type.
    const kind = entry.isDirectory() ? directories : entry.isFile() ? undefined : links;
    if (kind !== undefined && isReal(name)) kind.push(name);
    else if (kind !== undefined) garbled.add(name);
    if (name === 'SKILL.md') isSkill = true;
    else if (misspelling.test(name)) misspelled.push(name);
  }
  await turn(signal);
  return {
    directories: directories.sort(),
    links: links.sort(),
    isSkill,
    misspelled: misspelled.sort()[0],
    garbled: [...garbled].sort(),
    truncated,
  };
}
