// Lists the bundled files of one skill.

import { constants, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { createTurn } from '../../runtime/turns.ts';
import { maxRefusedPaths } from '../../skill/limits.ts';
import { checkListedPath, checkResourcePath, isOfFileManager, isPathFor } from '../../skill/paths.ts';
import type { ListFilesOptions, SkillDirectory, SkillFile, SkillFileListing } from '../../skill/source.ts';
import { containment, isBelow, pathBelow, pathOf } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { answerOf, entriesIn, errnoOf, type FileSystem } from '../disk/file-system.ts';
import { isLeftover } from '../disk/leftovers.ts';
import { neverEntered, replacementCharacter } from './directory-names.ts';
import { isOfInnerSkill } from './skill-directory.ts';
import { isReplaced, realPathOf } from './skill-stamp.ts';

const maxFiles = 2000;

/** Names to look at if files may be denied, so that denied ones do not take the place of others. */
const maxChecked = 2 * maxFiles;

/** Names to read from one directory, so that the first ones by name can be listed. */
const maxNames = 20_000;

const maxDepth = 8;

/** Checks a listed path: on Windows strictly, because a backslash, a colon or a final dot would lead to another file. */
export const checkListed: typeof checkListedPath = sep === '/' ? checkListedPath : checkResourcePath;

/** Lists the files that `readSkillFile` can read, sorted by path: at most 2,000 files, at most 8 directories deep. */
export async function listSkillFiles(
  files: FileSystem,
  skill: SkillDirectory,
  { signal, checkPath }: ListFilesOptions,
): Promise<SkillFileListing> {
  signal?.throwIfAborted();
  const root = realPathOf(skill);
  const turn = createTurn();
  const found: SkillFile[] = [];
  const refused: string[] = [];
  const queue: string[][] = [[]];
  const isAllowed = (path: string): boolean => checkPath === undefined || isPathFor(checkPath, path);
  const most = checkPath === undefined ? maxFiles : maxChecked;
  let count = 0;
  let truncated = false;
  for (const parents of queue) {
    if (count >= most) {
      truncated = true;
      break;
    }
    const children = await waitForDescriptors(() => childrenOf(files, skill, parents, most - count), signal);
    count += children.names.length;
    truncated ||= children.truncated;
    const isInner = parents.length > 0 && children.isSkill;
    const names = isInner ? [] : children.names.filter((name) => name !== 'SKILL.md');
    for (const name of names) {
      await turn(signal);
      const path = [...parents, name];
      const seen = lookAt(files, root, path, isAllowed);
      if (seen === 'directory') queue.push(path);
      else if (seen === 'unseen') truncated = true;
      else if (seen === 'refused') refused.push(path.join('/'));
      else if (seen !== undefined) found.push({ path: path.join('/'), bytes: seen });
    }
  }
  // If the skill was renamed during the walk, everything after that looks empty.
  truncated ||= found.length > maxFiles || !files.exists(root);
  const sorted = found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const listing = { files: sorted.slice(0, maxFiles), truncated };
  return refused.length === 0 ? listing : { ...listing, refused: refused.slice(0, maxRefusedPaths).sort() };
}

/** Returns the size of the file with a name, or what else it is; `undefined` if it is left out. */
function lookAt(
  files: FileSystem,
  root: string,
  path: readonly string[],
  isAllowed: (path: string) => boolean,
): number | 'directory' | 'refused' | 'unseen' | undefined {
  if (!isPathFor(checkListed, path.join('/')) || isGarbled(files, root, path)) return 'refused';
  const seen = sizeOf(files, root, path, isAllowed);
  if (typeof seen === 'number' && !isAllowed(path.join('/'))) return undefined;
  if (seen !== 'directory') return seen;
  if (neverEntered.has(path.at(-1) ?? '')) return undefined;
  return path.length <= maxDepth ? 'directory' : 'unseen';
}

interface Children {
  /** Sorted by code unit. */
  readonly names: readonly string[];
  /** Whether anything is called `SKILL.md`. */
  readonly isSkill: boolean;
  readonly truncated: boolean;
}

const nothing: Children = { names: [], isSkill: false, truncated: false };
const unseen: Children = { ...nothing, truncated: true };

/** Reads the names in a directory of the skill; `unseen` if it could not be read or was moved. */
function childrenOf(files: FileSystem, skill: SkillDirectory, segments: readonly string[], limit: number): Children {
  const path = join(realPathOf(skill), ...segments);
  const isOther = (status: Stats, place: string | number): boolean =>
    segments.length === 0 && isReplaced(files, skill, status, place);
  let descriptor: number | undefined;
  try {
    if (containment() === 'kernel') {
      descriptor = files.open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      if (isOther(files.fstat(descriptor), descriptor)) return unseen;
      const opened = pathOf(files, descriptor);
      if (opened === path) return readChildren(files, `/proc/self/fd/${descriptor}`, limit);
      if (opened !== undefined) return unseen;
    }
    if (isOther(files.lstat(path), path)) return unseen;
    // A race could reveal no more than names here, because files are read through `openContained`.
    return files.realpath(path) === path ? readChildren(files, path, limit) : unseen;
  } catch (error) {
    const errno = answerOf(error);
    return errno === 'ENOENT' && segments.length > 0 ? nothing : unseen;
  } finally {
    if (descriptor !== undefined) files.close(descriptor);
  }
}

function readChildren(files: FileSystem, path: string, limit: number): Children {
  const names: string[] = [];
  for (const { name } of entriesIn(files.openDirectory(path))) {
    if (isLeftover(name) || isOfFileManager(name)) continue;
    names.push(name);
    if (names.length === maxNames) break;
  }
  // Sorted before it is cut, because each copy of a directory can have its own order on the disk.
  const sorted = names.sort();
  return { names: sorted.slice(0, limit), isSkill: names.includes('SKILL.md'), truncated: names.length > limit };
}

/**
 * Returns the size of a regular file, also through a link that stays in the skill; `undefined` for anything but a directory. Looks
 * itself, because Windows lists a directory of a cloud drive as a link, and some file systems do not tell the type.
 */
function sizeOf(
  files: FileSystem,
  root: string,
  segments: readonly string[],
  isAllowed: (path: string) => boolean,
): number | 'directory' | 'unseen' | undefined {
  const path = join(root, ...segments);
  try {
    const status = files.lstat(path);
    if (status.isFile()) return status.size;
    if (status.isDirectory()) return 'directory';
    if (!status.isSymbolicLink()) return undefined;
    const target = files.realpath(path);
    if (!isBelow(root, target) || isOfInnerSkill(files, root, target)) return undefined;
    if (!isAllowed(pathBelow(root, target))) return undefined;
    const linked = files.stat(target);
    return linked.isFile() ? linked.size : undefined;
  } catch (error) {
    const errno = errnoOf(error);
    return errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP' ? undefined : 'unseen';
  }
}

/** Checks whether a name is not UTF-8. Node then replaces some bytes, so that no file has the resulting name. */
function isGarbled(files: FileSystem, root: string, segments: readonly string[]): boolean {
  return segments.at(-1)?.includes(replacementCharacter) === true && !files.exists(join(root, ...segments));
}
