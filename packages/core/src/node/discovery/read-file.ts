// Reads one bundled file of a skill, confined to its directory.

import { join } from 'node:path';
import { type SkillProfile, showText } from '../../diagnostics/diagnostic.ts';
import { createQueue } from '../../runtime/queue.ts';
import { isError, isPromise } from '../../runtime/record.ts';
import { createTurn } from '../../runtime/turns.ts';
import { SkillError } from '../../skill/error.ts';
import { maxResourceBytes } from '../../skill/limits.ts';
import { checkCounts } from '../../skill/options.ts';
import { checkResourcePath, tooLargeFile, unknownFile, unreadableFile } from '../../skill/paths.ts';
import type { ReadFileOptions, SkillDirectory } from '../../skill/source.ts';
import { type ContainedFile, isRefusedHardLink, openContained, pathBelow } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { errnoOf, type FileSystem } from '../disk/file-system.ts';
import { readInto } from '../disk/read.ts';
import { checkListed } from './list-files.ts';
import { isOfInnerSkill, openInSkill } from './skill-directory.ts';
import { realPathOf } from './skill-stamp.ts';

const chunkBytes: number = 1024 * 1024;

/** One queue for all sources, because they share the event loop. */
const queue = createQueue();

/**
 * Reads one bundled file from a descriptor that was proven to be inside the skill. `isOuter` is true if there may be other skills
 * below this one, whose files must not be read.
 */
export async function readSkillFile(
  files: FileSystem,
  skill: SkillDirectory,
  path: string,
  options: ReadFileOptions,
  isOuter = false,
): Promise<Uint8Array> {
  const { signal, maxBytes, length, fromListing = false, directories, checkPath } = options;
  checkCounts({ maxBytes, length });
  const segments = fromListing ? checkListed(path) : checkResourcePath(path);
  const root = realPathOf(skill);
  const within = directories?.map((directory) => join(root, ...checkResourcePath(directory.replace(/\/$/, '')))) ?? [
    root,
  ];
  const checkFile = (real: string): void => {
    if (isOuter && isOfInnerSkill(files, root, real)) throw unknownFile(path);
    checkPath?.(pathBelow(root, real));
  };
  const open = (): ContainedFile =>
    openInSkill(files, skill, (real, access) => openContained(files, real, segments, { ...access, within, checkFile }));
  return queue(async () => {
    try {
      // Awaited only if necessary, so that usually one file is open at a time.
      const opening = waitForDescriptors(open, signal);
      const file = isPromise(opening) ? await opening : opening;
      return await readInTurns(files, file, path, skill.profile, { signal, maxBytes, length });
    } catch (error) {
      throw signal?.aborted ? error : failedToRead(path, error);
    }
  }, signal);
}

/** Reads an open file, unless it is too large or may be from outside, and closes it. Other work gets turns between its chunks. */
async function readInTurns(
  files: FileSystem,
  { descriptor, status }: ContainedFile,
  path: string,
  profile: SkillProfile | undefined,
  { signal, maxBytes = maxResourceBytes, length }: ReadFileOptions,
): Promise<Uint8Array> {
  const { size, nlink } = status;
  try {
    if (isRefusedHardLink(nlink, profile)) throw linked(path, nlink, profile);
    if (length === undefined && size > maxBytes) throw tooLargeFile(path, size, maxBytes);
    const wanted = Math.min(length ?? size, size);
    const content = new Uint8Array(wanted);
    const turn = createTurn();
    for (let filled = 0; filled < wanted; ) {
      if (filled > 0) await turn(signal);
      const count = readInto(files, descriptor, content, filled, Math.min(chunkBytes, wanted - filled));
      if (count === 0) throw shortened(path);
      filled += count;
    }
    return content;
  } finally {
    files.close(descriptor);
  }
}

function shortened(path: string): SkillError {
  return new SkillError('resource-unreadable', `\`${showText(path)}\` became shorter while it was read. Try again.`);
}

function linked(path: string, links: number, profile: SkillProfile = 'lenient'): SkillError {
  const why = `has ${links} hard links, so it may be a file from outside the skill, which \`${profile}\` does not read`;
  const remedy = 'Replace it with a copy, or load the catalog under `lenient`.';
  return new SkillError('resource-unreadable', `\`${showText(path)}\` ${why}. ${remedy}`);
}

function failedToRead(path: string, error: unknown): SkillError {
  // There is not enough memory for the size that the file claims to have.
  if (isError(error) && error.name === 'RangeError') return unreadableFile(path, error);
  const errno = errnoOf(error);
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return unknownFile(path);
  // Only the code of the system's error, because its message shows paths of the machine.
  return unreadableFile(path, Object.assign(new Error(errno), { code: errno }));
}
