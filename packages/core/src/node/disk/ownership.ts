// Whether a directory is in the hands of others, who could have put skills there for somebody to find.

import { dirname } from 'node:path';
import { isBelow } from './contained-file.ts';
import { type FileSystem, orElse } from './file-system.ts';

/**
 * Says who else could have put something into a directory, or into one of those above it up to `top`: another user who
 * owns it, or everybody. The superuser is nobody else, and neither is whoever became it by `sudo`.
 */
export function findHazard(files: FileSystem, directory: string, top: string = directory): string | undefined {
  if (process.platform === 'win32') return undefined;
  for (let current = directory; ; current = dirname(current)) {
    const hazard = hazardOf(files, current);
    // The root of the file system counts as below itself, and nothing is above it.
    if (hazard !== undefined || current === dirname(current) || !isBelow(top, current)) return hazard;
  }
}

function hazardOf(files: FileSystem, directory: string): string | undefined {
  const status = orElse(undefined, () => files.stat(directory));
  if (status === undefined) return undefined;
  // The sticky bit, as that of `/tmp`, keeps users from what others have put there.
  if ((status.mode & 0o1002) === 0o002) return 'everybody may write to it';
  return isOurs(status.uid) ? undefined : 'another user owns it';
}

function isOurs(owner: number): boolean {
  const user = process.geteuid?.();
  if (user === undefined || owner === 0 || owner === user) return true;
  return user === 0 && process.env.SUDO_UID === String(owner);
}
