// Reads variables and paths as the system itself does, because Windows has its own rules for both.

import { isAbsolute, sep } from 'node:path';

/** Returns the value of an environment variable. On Windows, case in names does not count, even in a copy of `process.env`. */
export function findVariable(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (Object.hasOwn(environment, name)) return environment[name];
  if (platform !== 'win32') return undefined;
  const found = Object.keys(environment).find((each) => each.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : environment[found];
}

/** Checks whether a path is absolute. On Windows, `\x` and `/x` are not, because they mean the drive of the working directory. */
export function isRooted(path: string, isWindows: boolean = sep === '\\'): boolean {
  return isWindows ? /^(?:[a-z]:|[\\/])[\\/]/i.test(path) : isAbsolute(path);
}
