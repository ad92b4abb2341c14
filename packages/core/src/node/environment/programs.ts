// Finds programs, but never in a relative directory, because a project could have put a program there.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findVariable, isRooted } from './variables.ts';

/** Returns the absolute directories of `PATH`. */
export function programDirectories(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const path = findVariable(environment, 'PATH', platform) ?? '';
  const isWindows = platform === 'win32';
  // Windows also accepts directories in quotes.
  const directories = isWindows ? path.replaceAll('"', '').split(';') : path.split(':');
  return directories.filter((directory) => isRooted(directory, isWindows));
}

/** Many systems have Python by one name only, such as `python3`. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['python', ['python3']],
  ['python3', ['python']],
]);

/** The installer of Python for Windows puts only its launcher `py` into `PATH`, and Windows itself has only an older PowerShell. */
const namesOnWindows: ReadonlyMap<string, readonly string[]> = new Map([
  ['python', ['python3', 'py']],
  ['python3', ['python', 'py']],
  ['pwsh', ['powershell']],
]);

/**
 * Finds a program in directories, or the same program by another name, so that a requirement accepts what runs a script. For
 * `node`, returns the Node that runs this process.
 */
export function findProgram(
  name: string,
  directories: readonly string[],
  platform: NodeJS.Platform = process.platform,
  extensions: readonly string[] = platform === 'win32' ? ['.exe'] : [''],
): string | undefined {
  if (name === 'node') return realpathSync(process.execPath);
  const isWindows = platform === 'win32';
  const names = [name, ...((isWindows ? namesOnWindows : otherNames).get(name) ?? [])];
  const places = isWindows && ['sh', 'bash'].includes(name) ? shellDirectories(directories) : directories;
  // Not its real path, because some programs behave according to the link that starts them, as in a virtual environment.
  const paths = names.flatMap((each) =>
    places.flatMap((place) => extensions.map((extension) => join(place + sep, each + extension))),
  );
  let empty: string | undefined;
  for (const path of paths) {
    const size = sizeOfProgram(path);
    if (size !== undefined && size > 0) return path;
    // The last choice, because on Windows it may lead to the Store.
    if (size === 0) empty ??= path;
  }
  return empty;
}

/** Returns the directories in which a shell for Windows may be. */
function shellDirectories(directories: readonly string[]): readonly string[] {
  // There, `bash` is that of WSL, which is another system, and cannot open the paths of this one.
  const ofWindows = directories.filter((directory) => !/[\\/](?:system32|windowsapps)[\\/]?$/i.test(directory));
  // Git for Windows has a shell, but usually puts only the directory of `git` into `PATH`.
  const ofGit = directories.filter((directory) => sizeOfProgram(join(directory, 'git.exe')) !== undefined);
  return [...ofWindows, ...ofGit.flatMap((directory) => [join(directory, '../bin'), join(directory, '../usr/bin')])];
}

/** Returns the size of a file that can be executed. */
function sizeOfProgram(path: string): number | undefined {
  try {
    // Checked first, because most directories do not have the program, and throwing an error takes longer.
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isFile() !== true) return undefined;
    accessSync(path, constants.X_OK);
    return status.size;
  } catch {
    return undefined;
  }
}
