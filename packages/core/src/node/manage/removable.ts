// Decides whether a directory is one skill and nothing else, before the whole directory is deleted.

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { neverEntered } from '../discovery/directory-names.ts';
import { isAtOrBelow, pathBelow } from '../disk/contained-file.ts';
import { entriesIn, nodeFileSystem } from '../disk/file-system.ts';
import { isLeftover } from '../disk/leftovers.ts';
import { canonicalPath } from '../environment/project.ts';
import { findUserDirectories, systemHomes, type UserDirectoriesOptions } from '../environment/user-directories.ts';

/** Limit for entries to check. A directory with more is not deleted, because its content is not fully known. */
const maxEntries = 100_000;

/** Names that version control systems use in the top directory of a repository. */
const repositories: ReadonlySet<string> = new Set(['.git', '.hg', '.jj', '.svn']);

/**
 * Returns why a directory, given as its real path, must not be deleted as a skill: it is or contains a root, a home directory, a
 * repository, the top of a file system, or another skill.
 */
export function findObstacle(
  directory: string,
  roots: readonly string[],
  options: UserDirectoriesOptions,
): string | undefined {
  const isInside = (path: string): boolean => isAtOrBelow(directory, canonicalPath(path));
  if (roots.some(isInside)) return 'skills are searched in this directory, too';
  const homes = [findUserDirectories(options).home, ...systemHomes()];
  if (homes.some(isInside)) return 'a home directory would be deleted with it';
  const parent = dirname(directory);
  if (parent === directory || deviceOf(parent) !== deviceOf(directory)) return 'it is the top of a file system';
  return findInside(directory);
}

function deviceOf(path: string): number {
  return lstatSync(path).dev;
}

/** Returns why a directory must not be deleted because of something in it. */
export function findInside(top: string): string | undefined {
  const device = deviceOf(top);
  const queue = [top];
  let seen = 0;
  for (const directory of queue) {
    for (const entry of entriesIn(nodeFileSystem.openDirectory(directory))) {
      const { name } = entry;
      const path = join(directory, name);
      const shown = pathBelow(top, path);
      seen += 1;
      if (seen > maxEntries) return `it has more than ${maxEntries} files`;
      if (repositories.has(name)) return `it contains a repository (\`${shown}\`)`;
      // Discovery does not find skills in packages and leftovers.
      const isHidden = shown.split('/').some((part) => neverEntered.has(part) || isLeftover(part));
      if (directory !== top && name.toLowerCase() === 'skill.md' && !isHidden)
        return `it contains another skill (\`${shown}\`)`;
      if (!entry.isDirectory()) continue;
      if (deviceOf(path) !== device) return `it contains another file system (\`${shown}\`)`;
      queue.push(path);
    }
  }
  return undefined;
}
