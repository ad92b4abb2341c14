// Finds programs, but never in a relative directory, because a project could have put a program there.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

const isWindows = process.platform === 'win32';

/** Returns the absolute directories of `PATH`. */
export function programDirectories(
  { PATH = '' }: { readonly PATH?: string | undefined } = process.env,
): readonly string[] {
  return PATH.split(isWindows ? ';' : ':').filter(isAbsolute);
}

/** Finds a program in directories. For `node`, returns the Node that runs this process. */
export function findProgram(
  name: string,
  directories: readonly string[],
  extensions: readonly string[] = isWindows ? ['.exe'] : [''],
): string | undefined {
  if (name === 'node') return realpathSync(process.execPath);
  for (const directory of directories) {
    for (const extension of extensions) {
      // Not its real path, because some programs behave according to the link that starts them, as in a virtual environment.
      const path = join(directory + sep, name + extension);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    // Checked first, because most directories do not have the program, and throwing an error takes longer.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
