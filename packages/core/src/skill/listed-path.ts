// Finds the file that a path means although its name is written differently: composed in another way, or wrongly.

import { closestNames } from '../text/closest.ts';
import { lastSegment } from './paths.ts';

/**
 * Returns the path in a listing that consists of the same characters. Archives made on macOS contain decomposed names, but people
 * and models write composed ones, and most file systems distinguish them.
 */
export function findListed(path: string, listed: readonly string[]): string | undefined {
  if (listed.includes(path)) return path;
  const composed = path.normalize('NFC');
  return listed.find((each) => each.normalize('NFC') === composed);
}

/**
 * Returns up to three paths of a listing that an unknown one may mean: with up to two typos, or with the same file name, also if the
 * extension is missing.
 */
export function closestPaths(path: string, listed: readonly string[]): readonly string[] {
  const name = lastSegment(path).toLowerCase();
  const hasName = (each: string): boolean => `${lastSegment(each).toLowerCase()}.`.startsWith(`${name}.`);
  return [...new Set([...closestNames(path, listed, 2), ...listed.filter(hasName)])].slice(0, 3);
}
