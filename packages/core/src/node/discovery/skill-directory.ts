// Opens files only in the directory that was found as a skill, even if another directory replaces it meanwhile.

import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { isSkillError, SkillError } from '../../skill/error.ts';
import type { SkillDirectory } from '../../skill/source.ts';
import { type ContainedFile, type ContainedOptions, containment, isBelow, pathOf } from '../disk/contained-file.ts';
import { errnoOf, type FileSystem } from '../disk/file-system.ts';
import { findVolume, isSkillFile } from './skill-file.ts';
import { isReplaced, realPathOf, skillFileSuffix } from './skill-stamp.ts';

/** Includes `O_PATH` of Linux, because files can be opened in a directory that is not readable. */
const directoryFlags: number = 0o1000_0000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens a file in the directory of a skill. `open` receives the real path of the directory, and how to access it.
 *
 * @throws {SkillError} `resource-unreadable` if the directory was moved or replaced after it was found
 */
export function openInSkill(
  files: FileSystem,
  skill: SkillDirectory,
  open: (real: string, options: Pick<ContainedOptions, 'at' | 'checkDirectory'>) => ContainedFile,
): ContainedFile {
  const real = realPathOf(skill);
  const checkDirectory = (): void => {
    const isOther = findOrMoved(() => isReplaced(files, skill, files.lstat(real), real));
    // If a link replaced a directory above, or its name changed only in letter case, the path still leads to the skill.
    if (isOther || findOrMoved(() => files.realpath(real)) !== real) throw moved();
  };
  const openByPath = (): ContainedFile => {
    checkDirectory();
    return open(real, { checkDirectory });
  };
  if (containment() !== 'kernel') return openByPath();
  const descriptor = findOrMoved(() => files.open(real, directoryFlags));
  try {
    if (isReplaced(files, skill, files.fstat(descriptor), descriptor)) throw moved();
    const path = pathOf(files, descriptor);
    if (path === undefined) return openByPath();
    if (path !== real) throw moved();
    return open(real, { at: `/proc/self/fd/${descriptor}` });
  } catch (error) {
    // If the directory was renamed meanwhile, what was opened is outside of it, too.
    if (isSkillError(error) && error.code === 'resource-outside-skill') checkDirectory();
    throw error;
  } finally {
    files.close(descriptor);
  }
}

/**
 * Checks whether a directory between a skill and one of its files contains another `SKILL.md`, valid or not. Both paths must be
 * without links.
 */
export function isOfInnerSkill(files: FileSystem, root: string, file: string): boolean {
  for (let directory = dirname(file); isBelow(root, directory); directory = dirname(directory)) {
    const status = files.lstatIfThere(directory + skillFileSuffix);
    const isSkill = status !== undefined && isSkillFile(files, directory, status);
    if (isSkill && directory !== findVolume(files, root)) return true;
  }
  return false;
}

/** Accesses the directory, and throws that it was moved if it does not exist. */
function findOrMoved<T>(access: () => T): T {
  try {
    return access();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error))) throw moved();
    throw error;
  }
}

function moved(): SkillError {
  const message =
    'The directory of the skill has been moved or replaced since the catalog was loaded. Reload the catalog.';
  return new SkillError('resource-unreadable', message);
}
