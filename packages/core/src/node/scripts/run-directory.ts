// Chooses where the files of a run are: programs look for modules and settings in every directory above a script.

import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { canonicalPath, isOurs } from '../environment/project.ts';
import { findUserDirectories } from '../environment/user-directories.ts';

/** Creates a directory that only this user can read, and if possible one that nobody else can put files above. */
export function makeRunDirectory(): string {
  return realpathSync(mkdtempSync(join(findPlace(), 'skillful-script-')));
}

/** The temporary directory; the user's cache if everyone can write to the former, and nobody else to the latter. */
function findPlace(): string {
  const { home, environment } = findUserDirectories();
  const { XDG_CACHE_HOME: chosen = '' } = environment;
  const cache = join(isAbsolute(chosen) ? chosen : join(home, '.cache'), 'skillful');
  try {
    if (isPrivate(tmpdir()) || !isPrivate(cache) || !existsSync(dirname(dirname(cache)))) return tmpdir();
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    return cache;
  } catch {
    return tmpdir();
  }
}

/** Checks whether only this user and root can write to a directory, and to all directories above it. */
function isPrivate(directory: string): boolean {
  const start = canonicalPath(directory);
  for (let current = start; isOurs(current); current = dirname(current)) if (dirname(current) === current) return true;
  return false;
}
