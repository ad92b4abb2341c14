// Chooses a safe place for the files of a run, because programs search every directory above a script for modules.

import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { longestTimeout } from '../../runtime/until-aborted.ts';
import { upwardsFrom } from '../disk/contained-file.ts';
import { nodeFileSystem } from '../disk/file-system.ts';
import { removeOld } from '../disk/leftovers.ts';
import { openUp } from '../disk/open-up.ts';
import { isPrivate } from '../disk/ownership.ts';
import { canonicalPath } from '../environment/project.ts';
import { findUserDirectories, rootedIn } from '../environment/user-directories.ts';

/** Creates a directory that only this user can read and, if possible, above which no one else can put files. */
export function makeRunDirectory(): string {
  return realpathSync(mkdtempSync(join(findPlace(), prefix)));
}

const prefix = 'skillful-script-';

/** Returns the temporary directory, or the user's cache if only that is safe from other users. */
function findPlace(): string {
  const { home, environment } = findUserDirectories();
  const cache = join(rootedIn(environment, 'XDG_CACHE_HOME') ?? join(home, '.cache'), 'skillful');
  try {
    if (isPrivateUpwards(tmpdir()) || !isPrivateUpwards(cache) || !existsSync(dirname(dirname(cache)))) return tmpdir();
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    // What a killed process left behind: no run takes longer. Most systems empty the temporary directory themselves.
    removeOld(cache, longestTimeout, (name) => name.startsWith(prefix));
    return cache;
  } catch {
    return tmpdir();
  }
}

/** Checks that no other user can add a file to a directory or to any directory above it. */
function isPrivateUpwards(directory: string): boolean {
  return upwardsFrom(canonicalPath(directory)).every((each) => isPrivate(nodeFileSystem, each));
}

/** Deletes the files of a run, whatever a script did to them. Ignores failures, because they must not lose the result. */
export async function removeRunDirectory(base: string): Promise<void> {
  // Without `maxRetries`, because Node repeats them at each level, so that one busy file would hold the result for minutes.
  const remove = () => rm(base, { recursive: true, force: true });
  await remove().catch(async () => {
    await openUp(base);
    await remove().catch(() => {});
  });
}
