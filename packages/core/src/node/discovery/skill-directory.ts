// Opens files in the very directory that was found as a skill, whatever takes its place meanwhile.

import { constants } from 'node:fs';
import { SkillError } from '../../skill/error.ts';
import type { SkillDirectory } from '../../skill/source.ts';
import { type ContainedFile, containment, pathOf } from '../disk/contained-file.ts';
import { errnoOf, type FileSystem } from '../disk/file-system.ts';
import { inodeAt, inodeOfDirectory, realPathOf } from './skill-stamp.ts';

/** With `O_PATH` of Linux, because a directory need not be readable to open what is in it. */
const directoryFlags: number = 0o1000_0000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens a file in the directory of a skill: `open` gets the directory's real path, and the path by which to access it.
 *
 * @throws {SkillError} `resource-unreadable` if the directory was moved or replaced since it was found
 */
export function openInSkill(
  files: FileSystem,
  skill: SkillDirectory,
  open: (real: string, at: string) => ContainedFile,
): ContainedFile {
  const real = realPathOf(skill);
  if (containment() !== 'kernel') return openBetweenChecks(files, skill, () => open(real, real));
  const descriptor = findOrMoved(() => files.open(real, directoryFlags));
  try {
    const found = inodeOfDirectory(files.fstat(descriptor), () => files.fstatExactly(descriptor));
    if (found !== (skill.inode ?? found)) throw moved();
    const path = pathOf(files, descriptor);
    if (path === undefined) return openBetweenChecks(files, skill, () => open(real, real));
    if (path !== real) throw moved();
    return open(real, `/proc/self/fd/${descriptor}`);
  } finally {
    files.close(descriptor);
  }
}

/** Opens a file if the directory is the same before and after. */
function openBetweenChecks(files: FileSystem, skill: SkillDirectory, open: () => ContainedFile): ContainedFile {
  check(files, skill);
  const file = open();
  try {
    check(files, skill);
    return file;
  } catch (error) {
    files.close(file.descriptor);
    throw error;
  }
}

function check(files: FileSystem, skill: SkillDirectory): void {
  const found = findOrMoved(() => inodeAt(files, realPathOf(skill)));
  if (found !== (skill.inode ?? found)) throw moved();
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
  return new SkillError(
    'resource-unreadable',
    'The directory of the skill was moved or replaced since the catalog was loaded. Reload the catalog.',
  );
}
