// Lists and reads the bundled files of one skill, confined to its directory.

import { constants } from 'node:fs';
import { sep } from 'node:path';
import { type SkillProfile, showText } from '../../diagnostics/diagnostic.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { maxRefusedPaths } from '../../skill/limits.ts';
import { checkListedPath, checkResourcePath, isPathFor } from '../../skill/paths.ts';
import type { ReadFileOptions, SkillDirectory, SkillFile, SkillFileListing } from '../../skill/source.ts';
import {
  type ContainedFile,
  containment,
  isBelow,
  openContained,
  openVerified,
  pathOf,
  prefixOf,
} from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { errnoOf, type FileSystem, isOutOfDescriptors } from '../disk/file-system.ts';
import { isRefusedHardLink } from '../disk/hard-links.ts';
import { createTurns } from '../disk/queue.ts';
import { readInto } from '../disk/read.ts';
import { createSlices, type Slices } from '../disk/slices.ts';
import { realPathOf } from './identity.ts';
import { skillFileSuffix } from './skill-stamp.ts';

const maxFiles = 2000;
const maxDepth = 8;
const defaultMaxBytes: number = 5 * 1024 * 1024;
const chunkBytes: number = 1024 * 1024;
const neverEntered: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** On Windows a name with a backslash or a colon, or one that ends in a dot, leads to something else than it says. */
const checkListed: typeof checkListedPath = sep === '/' ? checkListedPath : checkResourcePath;

/** Lists what `readSkillFile` would read, sorted by path: at most 2,000 files, at most 8 directories deep. */
export async function listSkillFiles(
  files: FileSystem,
  skill: SkillDirectory,
  signal: AbortSignal | undefined,
): Promise<SkillFileListing> {
  const root = realPathOf(skill);
  const slices = createSlices(signal);
  const found: SkillFile[] = [];
  const refused: string[] = [];
  const queue: string[][] = [[]];
  let seen = 0;
  let truncated = false;
  // Whether anything was looked at by its path, which may have led elsewhere by then.
  let looked = false;
  for (let segments = queue.shift(); segments !== undefined && seen < maxFiles; segments = queue.shift()) {
    const parents = segments;
    const listing = waitForDescriptors(() => childrenOf(files, root, parents, maxFiles - seen), signal);
    const children = listing instanceof Promise ? await listing : listing;
    seen += children.names.length;
    truncated ||= children.truncated;
    if (parents.length > 0 && children.names.some(({ name }) => name === 'SKILL.md')) continue;
    for (const { name, isDirectory } of children.names) {
      if (slices.isOver()) await slices.rest();
      if (parents.length === 0 && name === 'SKILL.md') continue;
      looked = true;
      const path = [...parents, name];
      const resource = path.join('/');
      if (!isPathFor(checkListed, resource) || isGarbled(files, root, path)) {
        if (refused.length < maxRefusedPaths) refused.push(resource);
        continue;
      }
      if (!isDirectory) {
        const bytes = sizeOf(files, root, path);
        if (bytes === 'unseen') truncated = true;
        else if (bytes !== undefined) found.push({ path: resource, bytes });
      } else if (!neverEntered.has(name)) {
        if (path.length <= maxDepth) queue.push(path);
        else truncated = true;
      }
    }
  }
  // What was renamed meanwhile looks empty from there on.
  truncated ||= queue.length > 0 || (looked && !files.exists(root));
  const listing = { files: found.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated };
  return refused.length === 0 ? listing : { ...listing, refused: refused.sort() };
}

/** One for all sources, for all share the event loop. */
const turns = createTurns();

/** Reads one bundled file from the descriptor that was proven to be inside the skill. */
export async function readSkillFile(
  files: FileSystem,
  skill: SkillDirectory,
  path: string,
  options: ReadFileOptions,
): Promise<Uint8Array> {
  const { signal, maxBytes = defaultMaxBytes, length, fromListing = false } = options;
  const segments = fromListing ? checkListed(path) : checkResourcePath(path);
  const root = realPathOf(skill);
  const waiting = turns.take(signal);
  if (waiting !== undefined) await waiting;
  try {
    signal?.throwIfAborted();
    const opening = waitForDescriptors(() => openFile(files, root, segments), signal);
    const file = opening instanceof Promise ? await opening : opening;
    try {
      if (isRefusedHardLink(file.links, skill.profile)) throw linked(path, file.links, skill.profile);
      if (length === undefined && file.bytes > maxBytes) throw tooLarge(path, file.bytes, maxBytes);
      const wanted = Math.min(length ?? file.bytes, file.bytes);
      const content = new Uint8Array(wanted);
      let slices: Slices | undefined;
      let filled = 0;
      while (filled < wanted) {
        const count = readInto(files, file.descriptor, content, filled, Math.min(chunkBytes, wanted - filled));
        if (count === 0) break;
        filled += count;
        if (filled === wanted) break;
        // Only a file of several chunks keeps its descriptor over a rest.
        slices ??= createSlices(signal);
        if (slices.isOver()) await slices.rest();
      }
      return filled === wanted ? content : content.slice(0, filled);
    } finally {
      files.close(file.descriptor);
    }
  } catch (error) {
    if (isSkillError(error) || signal?.aborted) throw error;
    throw unreadable(path, errnoOf(error));
  } finally {
    turns.leave();
  }
}

/**
 * Opens a file of the skill. A `SKILL.md` that is no link lies where its name says, so the kernel is asked once where it is,
 * as in discovery, and not before as well.
 */
function openFile(files: FileSystem, root: string, segments: readonly string[]): ContainedFile {
  if (segments.length === 1 && segments[0] === 'SKILL.md' && containment() === 'kernel') {
    try {
      return openVerified(files, root, root + skillFileSuffix, 'SKILL.md');
    } catch (error) {
      if (isSkillError(error) || errnoOf(error) !== 'ELOOP') throw error;
    }
  }
  return openContained(files, root, segments);
}

interface Children {
  readonly names: readonly { readonly name: string; readonly isDirectory: boolean }[];
  readonly truncated: boolean;
}

const nothing: Children = { names: [], truncated: false };
const unseen: Children = { names: [], truncated: true };

/** Reads the names in a directory of the skill; `unseen` where it cannot be read or is not where it was. */
function childrenOf(files: FileSystem, root: string, segments: readonly string[], limit: number): Children {
  const path = placeOf(root, segments);
  let descriptor: number | undefined;
  try {
    if (containment() === 'kernel') {
      descriptor = files.open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      const opened = pathOf(files, descriptor);
      if (opened === path) return readChildren(files, `/proc/self/fd/${descriptor}`, limit);
      if (opened !== undefined) return unseen;
    }
    // A name learnt in a race is all that could leak here: what is read goes through `openContained`.
    return files.realpath(path) === path ? readChildren(files, path, limit) : unseen;
  } catch (error) {
    const errno = errnoOf(error);
    if (isOutOfDescriptors(errno)) throw error;
    return errno === 'ENOENT' && segments.length > 0 ? nothing : unseen;
  } finally {
    if (descriptor !== undefined) files.close(descriptor);
  }
}

function readChildren(files: FileSystem, path: string, limit: number): Children {
  const names: { name: string; isDirectory: boolean }[] = [];
  const directory = files.openDirectory(path);
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (names.length === limit) return { names, truncated: true };
      names.push({ name: entry.name, isDirectory: entry.isDirectory() });
    }
    return { names: names.sort((a, b) => (a.name < b.name ? -1 : 1)), truncated: false };
  } finally {
    directory.closeSync();
  }
}

/** As `join`, for a path and names that are in their plainest form. */
function placeOf(root: string, segments: readonly string[]): string {
  return segments.length === 0 ? root : prefixOf(root) + segments.join(sep);
}

/** The size of a regular file, through a link that stays inside; `undefined` for anything else. */
function sizeOf(files: FileSystem, root: string, segments: readonly string[]): number | 'unseen' | undefined {
  const path = placeOf(root, segments);
  try {
    const status = files.lstat(path);
    if (status.isFile()) return Number(status.size);
    if (!status.isSymbolicLink()) return undefined;
    const target = files.realpath(path);
    if (!isBelow(root, target)) return undefined;
    const behind = files.stat(target);
    return behind.isFile() ? Number(behind.size) : undefined;
  } catch (error) {
    const errno = errnoOf(error);
    return errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP' ? undefined : 'unseen';
  }
}

/** A name that is not UTF-8 is given with a mark in place of some bytes, and under that name there is nothing. */
function isGarbled(files: FileSystem, root: string, segments: readonly string[]): boolean {
  return segments.at(-1)?.includes('\ufffd') === true && !files.exists(placeOf(root, segments));
}

function linked(path: string, links: number, profile: SkillProfile = 'lenient'): SkillError {
  const why = `has ${links} hard links, so it may be a file from outside of the skill, which \`${profile}\` does not read`;
  const remedy = 'Replace it by a copy, or load the catalog under `lenient`.';
  return new SkillError('resource-unreadable', `\`${showText(path)}\` ${why}. ${remedy}`);
}

function tooLarge(path: string, bytes: number, limit: number): SkillError {
  return new SkillError('resource-too-large', `\`${showText(path)}\` has ${bytes} bytes; the limit is ${limit}.`);
}

/** The errors of the file system name absolute paths of the host, so only their codes go on. */
function unreadable(path: string, errno: string): SkillError {
  if (errno === 'ENOENT' || errno === 'ENOTDIR') {
    return new SkillError('resource-unknown', `There is no file \`${showText(path)}\` in the skill.`);
  }
  const cause = Object.assign(new Error(errno), { code: errno });
  return new SkillError('resource-unreadable', `\`${showText(path)}\` could not be read (${errno}).`, { cause });
}
