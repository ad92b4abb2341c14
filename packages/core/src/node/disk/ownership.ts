// Decides whether other users can change a directory, and therefore may have put files there.

import type { Stats } from 'node:fs';
import { isBelow, upwardsFrom } from './contained-file.ts';
import { type FileSystem, orElse } from './file-system.ts';

/**
 * Returns why other users can change a directory or one of its parents up to `top`: another user owns it, or everyone can write
 * to it. Root counts as the current user; under `sudo`, so does the user who called it.
 */
export function findHazard(files: FileSystem, directory: string, top: string = directory): string | undefined {
  for (const current of upwardsFrom(directory)) {
    const status = orElse(undefined, () => files.stat(current));
    const hazard = status && hazardOf(status);
    if (hazard !== undefined) return `${hazard} ${current === directory ? 'it' : 'a directory above it'}`;
    if (!isBelow(top, current)) break;
  }
  return undefined;
}

/** Checks that no other user can put a file into a directory for a program to find. True if the directory is missing. */
export function isPrivate(files: FileSystem, directory: string): boolean {
  if (process.platform === 'win32') return true;
  const status = orElse(undefined, () => files.stat(directory));
  return status === undefined || ((status.mode & 0o002) === 0 && isOurs(status.uid));
}

/** Returns the current user; `undefined` on Windows. */
export function currentUser(): number | undefined {
  return process.geteuid?.();
}

/** Returns why users other than the current one can change a file or directory. */
export function hazardOf(status: Stats, user?: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  // With the sticky bit, as on `/tmp`, users cannot replace the files of others.
  if ((status.mode & 0o1002) === 0o002) return 'everyone can write to';
  return isOurs(status.uid, user) ? undefined : 'another user owns';
}

function isOurs(owner: number, user: number | undefined = currentUser()): boolean {
  if (user === undefined || owner === 0 || owner === user) return true;
  return user === 0 && process.env.SUDO_UID === String(owner);
}
