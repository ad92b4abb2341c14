// Finds the project around a working directory, and its directories that may contain skills or instruction files.

import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkChoice } from '../../skill/options.ts';
import { upwardsFrom } from '../disk/contained-file.ts';
import { mayBeThere, nodeFileSystem } from '../disk/file-system.ts';
import { isPrivate } from '../disk/ownership.ts';

/** A working directory and the project that it belongs to. */
export interface Project {
  /** The git root, or the working directory outside a repository. Without links. */
  readonly root: string;
  /** From the working directory up to the root, both included; paths without links. */
  readonly directories: readonly string[];
}

/**
 * Finds the directories from the working directory up to the git root, which contains anything named `.git`, even a broken link.
 *
 * Outside a repository, only the working directory counts, because the directories above may belong to anyone. `stopAt: 'root'`
 * walks up to the root of the file system, and skips directories in which other users can create files.
 *
 * @throws {SkillError} `options-invalid` if `stopAt` is anything else
 */
export function findProject(cwd: string, stopAt: 'git' | 'root' = 'git'): Project {
  checkChoice('stopAt', stopAt, ['git', 'root']);
  const start = canonicalPath(cwd);
  const upwards = upwardsFrom(start);
  const root = upwards.find(isGitRoot) ?? start;
  const inside = upwards.slice(0, upwards.indexOf(root) + 1);
  if (stopAt === 'git') return { root, directories: inside };
  const above = upwards.slice(inside.length).filter((directory) => isPrivate(nodeFileSystem, directory));
  return { root, directories: [...inside, ...above] };
}

/** Checks whether a directory contains a `.git`. An unreadable directory counts, so that the walk stops there. */
export function isGitRoot(directory: string): boolean {
  return mayBeThere(nodeFileSystem, join(directory, '.git'));
}

/** Returns the path without links, as far as it exists, so that each place has only one name. */
export function canonicalPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(canonicalPath(parent), absolute.slice(parent.length));
  }
}
