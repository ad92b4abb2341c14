// Reads and shows paths the way a user of a shell expects it.

import { isAbsolute, relative, sep } from 'node:path';
import { expandPath, findUserDirectories } from '@skillful/core/node';
import type { CommandLine } from './command-line.ts';
import { terminalLine } from './terminal/text.ts';

/** Resolves a path against a directory; a leading `~` is the home as the environment says at this moment. */
export function resolvePath(path: string, directory: string, { environment }: CommandLine): string {
  return expandPath(path, directory, findUserDirectories({ environment }).home);
}

/** Shows a path to people: relative where it lies below the directory. */
export function showPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return terminalLine(path);
  const below = relative(directory, path);
  const isOutside = below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return terminalLine(isOutside ? path : below);
}
