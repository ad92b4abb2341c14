// Finds the project around a working directory, and the directories in it that may hold skills or instructions.

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from '../disk/file-system.ts';

/** A working directory and the project that it belongs to. */
export interface Project {
  /** Where the walk up ended: the git root, or the working directory where there is none. Without links. */
  readonly root: string;
  /** From the working directory up to the root, both included. */
  readonly directories: readonly string[];
}

/**
 * Finds the directories from the working directory up to the git root, which holds a `.git` of any kind, also a link that leads
 * nowhere.
 *
 * Outside a repository only the working directory counts: what lies above may belong to anybody. `stopAt: 'root'` walks
 * to the root of the file system nevertheless, past directories that others can write to.
 */
export function findProject(cwd: string, stopAt: 'git' | 'root' = 'git'): Project {
  const start = canonicalPath(cwd);
  const upwards = [start];
  for (let current = start; dirname(current) !== current; current = dirname(current)) upwards.push(dirname(current));
  const found = upwards.findIndex(isGitRoot);
  const root = upwards[Math.max(found, 0)] ?? start;
  const inside = upwards.slice(0, Math.max(found, 0) + 1);
  if (stopAt === 'git') return { root, directories: inside };
  return { root, directories: [...inside, ...upwards.slice(inside.length).filter(isOurs)] };
}

/** Tells whether a directory holds a `.git`. One that may not be looked into counts, so that nobody walks past it. */
export function isGitRoot(directory: string): boolean {
  return mayBeThere(join(directory, '.git'));
}

/** Tells whether there is anything at a path, be it a link that leads nowhere; where that cannot be told, there may be. */
export function mayBeThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errnoOf(error) !== 'ENOTDIR';
  }
}

/** Tells whether only this user and the superuser can put something into a directory. */
function isOurs(directory: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const { uid, mode } = statSync(directory);
  return (uid === user || uid === 0) && (mode & 0o002) === 0;
}

/** The path without links as far as it exists, so that one place has one name. */
export function canonicalPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(canonicalPath(parent), absolute.slice(parent.length));
  }
}
