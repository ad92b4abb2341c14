// Removes a whole skill from the disk, but never something that replaced it.

import { lstatSync, realpathSync, rmSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseSkill } from '../../format/parse.ts';
import { isSkillError, orUndefined, SkillError, showCode } from '../../skill/error.ts';
import { assertSkill } from '../../skill/options.ts';
import type { Skill } from '../../skill/skill.ts';
import type { SkillScope } from '../../skill/source.ts';
import { readSkillFile } from '../discovery/read-file.ts';
import { realPathOf } from '../discovery/skill-stamp.ts';
import { isAtOrBelow, isBelow, upwardsFrom } from '../disk/contained-file.ts';
import { errnoOf, isLink, nodeFileSystem } from '../disk/file-system.ts';
import { temporaryPath } from '../disk/leftovers.ts';
import { openUp } from '../disk/open-up.ts';
import { moveDirectory, syncChange, writeFailed } from '../disk/write.ts';
import { canonicalPath } from '../environment/project.ts';
import type { UserDirectoriesOptions } from '../environment/user-directories.ts';
import { findInside, findObstacle } from './removable.ts';

export interface RemoveSkillOptions extends UserDirectoriesOptions {
  /**
   * Removes skills of every scope, also through links.
   * @default false
   */
  readonly force?: boolean | undefined;
  /**
   * Removes skills of this scope only.
   * @default 'user'
   */
  readonly scope?: SkillScope | undefined;
  /** Directories that are never removed, besides the root of the skill's source. */
  readonly roots?: readonly string[] | undefined;
}

/**
 * Removes a skill: its directory with all files, or only the link if the directory is one. Discovery stops finding it at once.
 * Never removes a directory that is or contains a root, a home directory, a repository, the top of a file system or another
 * skill.
 *
 * @throws {SkillError} `skill-protected` if the skill has another scope, is behind a link or outside its project and `force` is
 * not set, or if it is never removed; `skill-unknown` if it is gone or was replaced; `write-failed`
 */
export async function removeSkill(skill: Skill, options: RemoveSkillOptions = {}): Promise<void> {
  assertSkill(skill);
  if (options.force !== true) assertRemovable(skill, options);
  const real = realPathOf(skill);
  const roots = [...(skill.source.root === undefined ? [] : [skill.source.root]), ...(options.roots ?? [])];
  if (roots.some((root) => resolve(root) === skill.directory)) {
    throw obstructed(skill, 'skills are searched in this directory, too');
  }
  try {
    const parent = realpathSync.native(dirname(skill.directory));
    const directory = join(parent, basename(skill.directory));
    if (lstatSync(directory).isSymbolicLink()) {
      if (realpathSync.native(directory) !== real) throw replaced(skill);
      unlinkSync(directory);
      syncChange(parent);
      return;
    }
    if (directory !== real || !(await isStillThere(directory, skill))) throw replaced(skill);
    const obstacle = findObstacle(directory, roots, options);
    if (obstacle !== undefined) throw obstructed(skill, obstacle);
    const trash = temporaryPath(directory, 'trash');
    await moveDirectory(directory, trash);
    // The directory may have been replaced or changed at the last moment.
    const isSame = await isStillThere(trash, skill).catch(() => false);
    const inside = isSame ? findInside(trash) : undefined;
    if (!isSame || inside !== undefined) {
      await putBack(trash, directory);
      throw inside === undefined ? replaced(skill) : obstructed(skill, inside);
    }
    syncChange(parent);
    await discard(trash);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw replaced(skill);
    throw writeFailed(error);
  }
}

/** Refuses a skill of another scope, behind a link, or outside its project. */
function assertRemovable(skill: Skill, { scope: wanted = 'user' }: RemoveSkillOptions): void {
  const { scope } = skill.source;
  if (scope !== wanted) {
    const way = scope === 'project' ? "Use `--scope project` (in code, `scope: 'project'`) to delete it." : useForce;
    const article = /^[aeiou]/.test(scope) ? 'an' : 'a';
    throw new SkillError('skill-protected', `\`${skill.name}\` is ${article} ${scope} skill. ${way}`);
  }
  const link = findLink(skill);
  if (link === undefined && !isOutsideProject(skill)) return;
  const place = link === undefined ? 'outside the project' : `behind the link \`${link}\``;
  throw new SkillError('skill-protected', `\`${skill.name}\` is ${place}, so others may use it. ${useForce}`);
}

const useForce = 'Use `--force` (in code, `force: true`) to delete it.';

/**
 * Finds the link below the root through which a skill was found. For a layer, whose root is unknown, checks only the last part of
 * the path.
 */
function findLink({ source, directory }: Skill): string | undefined {
  const parent = dirname(directory);
  const root = source.root ?? dirname(parent);
  const link = upwardsFrom(parent).find((each) => isBelow(root, each) && isLink(nodeFileSystem, each));
  return link && relative(root, link);
}

/** Checks whether a link as the root, or a root that was configured, has led out of the project. */
function isOutsideProject({ source: { project }, directory }: Skill): boolean {
  const parent = canonicalPath(dirname(directory));
  return project !== undefined && !isAtOrBelow(project, parent);
}

/** Puts back a directory that is not the skill. If its name is taken by now, gives it another name that is never cleaned up. */
async function putBack(trash: string, directory: string): Promise<void> {
  try {
    await moveDirectory(trash, directory);
  } catch (error) {
    errnoOf(error);
    await moveDirectory(trash, temporaryPath(directory, 'broken'));
  }
}

/** Deletes a directory that discovery no longer sees, also read-only files. If anything is left, creating a skill tries again. */
async function discard(trash: string): Promise<void> {
  await openUp(trash);
  try {
    rmSync(trash, { recursive: true, force: true });
  } catch (error) {
    throw writeFailed(error, 'the skill is gone, but some of its files are left behind');
  }
}

/**
 * Checks that a directory has a `SKILL.md` with the name of the skill, and that no part of its path has become a link. Rejects with
 * the system's error if this process may not read it.
 */
async function isStillThere(directory: string, skill: Skill): Promise<boolean> {
  if (realpathSync.native(directory) !== directory) return false;
  const place = { directory, location: join(directory, 'SKILL.md'), identity: directory, inode: skill.inode };
  const reading = readSkillFile(nodeFileSystem, place, 'SKILL.md', {}).catch((error: unknown) => {
    const cause = isSkillError(error) ? error.cause : undefined;
    // To load the catalog again would not help.
    throw /EACCES|EPERM|E[MN]FILE/.test(showCode(cause)) ? cause : error;
  });
  const content = await orUndefined(reading);
  if (content === undefined) return false;
  const { properties } = parseSkill(content, { directoryName: basename(skill.directory) });
  return properties?.name === skill.properties.name;
}

function obstructed(skill: Skill, obstacle: string): SkillError {
  return new SkillError(
    'skill-protected',
    `\`${skill.name}\` was not removed, because ${obstacle}. Delete its \`SKILL.md\` and its other files by hand.`,
  );
}

function replaced(skill: Skill): SkillError {
  const message = `\`${skill.name}\` has changed on disk since the catalog was loaded. Reload the catalog.`;
  return new SkillError('skill-unknown', message);
}
