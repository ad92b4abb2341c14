// Opens files in the very directory that was found as a skill, even if another one takes its place meanwhile.

import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { SkillError } from '../../skill/error.ts';
import type { SkillDirectory } from '../../skill/source.ts';
import { type ContainedFile, type ContainedOptions, containment, isBelow, pathOf } from '../disk/contained-file.ts';
import { errnoOf, type FileSystem } from '../disk/file-system.ts';
import { inodeAt, inodeOfDirectory, realPathOf, skillFileSuffix } from './skill-stamp.ts';

/** With `O_PATH` of Linux, because a directory need not be readable to open what is in it. */
const directoryFlags: number = 0o1000_0000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens a file in the directory of a skill: `open` gets the directory's real path, and how to access the directory.
 *
 * @throws {SkillError} `resource-unreadable` if the directory was moved or replaced since it was found
 */
export function openInSkill(
  files: FileSystem,
  skill: SkillDirectory,
  open: (real: string, options: Pick<ContainedOptions, 'at' | 'checkDirectory'>) => ContainedFile,
): ContainedFile {
  const real = realPathOf(skill);
  const checkDirectory = (): void => {
    const found = findOrMoved(() => inodeAt(files, real));
    if (found !== (skill.inode ?? found)) throw moved();
  };
  if (containment() !== 'kernel') {
    checkDirectory();
    return open(real, { checkDirectory });
  }
  const descriptor = findOrMoved(() => files.open(real, directoryFlags));
  try {
    const found = inodeOfDirectory(files.fstat(descriptor), () => files.fstatExactly(descriptor));
    if (found !== (skill.inode ?? found)) throw moved();
    const path = pathOf(files, descriptor);
    if (path === undefined) return open(real, { checkDirectory });
    if (path !== real) throw moved();
    return open(real, { at: `/proc/self/fd/${descriptor}` });
  } finally {
    files.close(descriptor);
  }
}

/** Checks whether another `SKILL.md`, good or bad, is in a directory between a skill and a file of it; both without links. */
export function isOfInnerSkill(files: FileSystem, root: string, file: string): boolean {
  for (let directory = dirname(file); isBelow(root, directory); directory = dirname(directory)) {
    if (files.lstatIfThere(directory + skillFileSuffix) !== undefined) return true;
  }
  return false;
}

/** Accesses the directory itself; if it is not there any more, it was moved. */
function findOrMoved<T>(access: () => T): T {
  try {
    return access();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error))) throw moved();
    throw error;
  }
}

function moved(): SkillError {
  const message = 'The directory of the skill was moved or replaced since the catalog was loaded. Reload the catalog.';
  return new SkillError('resource-unreadable', message);
}
