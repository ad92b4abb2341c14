// Decides which paths belong to a skill and how much of a file is returned, for sources that have whole files.

import { maxRefusedPaths, maxResourceBytes } from '../skill/limits.ts';
import { checkCounts } from '../skill/options.ts';
import {
  checkListedPath,
  checkResourcePath,
  isOfFileManager,
  isPathFor,
  lastSegment,
  tooLargeFile,
  unknownFile,
} from '../skill/paths.ts';
import type { ReadFileOptions } from '../skill/source.ts';

/**
 * Splits the paths in a skill's directory into files that can be read and files that cannot. Leaves out `SKILL.md`, nested skills,
 * files of file managers, and directories, which archives and buckets list as empty files with a final slash.
 */
export function splitPaths(paths: readonly string[]): {
  readonly bundled: readonly string[];
  readonly refused: readonly string[];
} {
  const nested = paths.filter((path) => path.endsWith('/SKILL.md')).map((path) => path.slice(0, -'SKILL.md'.length));
  const bundled: string[] = [];
  const refused: string[] = [];
  for (const path of paths) {
    const isDirectory = path === '' || path.endsWith('/');
    if (isDirectory || path === 'SKILL.md' || isOfFileManager(lastSegment(path))) continue;
    if (nested.some((inner) => path.startsWith(inner))) continue;
    if (isPathFor(checkListedPath, path)) bundled.push(path);
    else if (refused.length < maxRefusedPaths) refused.push(path);
  }
  return { bundled, refused };
}

/** Returns the checked, normalised path of a file. @throws {SkillError} `resource-outside-skill` */
export function lookUpPath(path: string, { fromListing = false }: ReadFileOptions): string {
  return (fromListing ? checkListedPath(path) : checkResourcePath(path)).join('/');
}

/**
 * Returns a copy of a file, or of its beginning.
 *
 * @throws {SkillError} `resource-unknown` if there is none; `resource-too-large`; `options-invalid`
 */
export function cutFile(
  content: Uint8Array | undefined,
  path: string,
  { maxBytes = maxResourceBytes, length }: ReadFileOptions,
): Uint8Array {
  checkCounts({ maxBytes, length });
  if (content === undefined) throw unknownFile(path);
  if (length !== undefined) return new Uint8Array(content.subarray(0, length));
  if (content.length <= maxBytes) return new Uint8Array(content);
  throw tooLargeFile(path, content.length, maxBytes);
}
