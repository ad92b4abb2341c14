// Removes a skill from the disk as a whole, and nothing that has taken its place.

import { lstatSync, realpathSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseSkill } from '../../format/parse.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import { readSkillFile } from '../discovery/read-file.ts';
import { realPathOf } from '../discovery/skill-stamp.ts';
import { isBelow } from '../disk/contained-file.ts';
import { errnoOf, nodeFileSystem } from '../disk/file-system.ts';
import { temporaryPath } from '../disk/leftovers.ts';
import { syncChange, writeFailed } from '../disk/write.ts';

/**
 * Removes a skill: of a link only the link, of a directory all that is in it. It vanishes from discovery at once.
 *
 * @throws {SkillError} `skill-protected` outside the scope `user` and behind a link unless forced, `skill-unknown` where it is
 * gone or was replaced since it was found, `write-failed`
 */
export async function removeSkill(skill: Skill, options: { readonly force?: boolean | undefined } = {}): Promise<void> {
  const { scope } = skill.source;
  if (scope !== 'user' && options.force !== true) {
    throw new SkillError(
      'skill-protected',
      `\`${skill.name}\` has the scope \`${scope}\`; without \`force\` only skills of the user are removed.`,
    );
  }
  const link = options.force === true ? undefined : findLink(skill);
  if (link !== undefined) {
    throw new SkillError(
      'skill-protected',
      `\`${skill.name}\` lies behind the link \`${link}\` and perhaps belongs to others; it is only removed with \`force\`.`,
    );
  }
  const real = realPathOf(skill);
  try {
    const parent = realpathSync.native(dirname(skill.directory));
    const directory = join(parent, basename(skill.directory));
    if (lstatSync(directory).isSymbolicLink()) {
      if (realpathSync.native(directory) !== real) throw replaced(skill);
      unlinkSync(directory);
      syncChange(parent);
      return;
    }
    if (directory !== real || !(await holds(directory, skill))) throw replaced(skill);
    const trash = temporaryPath(directory, 'trash');
    renameSync(directory, trash);
    // It may have been replaced at the last moment.
    if (!(await holds(trash, skill))) {
      putBack(trash, directory);
      throw replaced(skill);
    }
    syncChange(parent);
    discard(trash);
  } catch (error) {
    if (isSkillError(error)) throw error;
    if (errnoOf(error) === 'ENOENT') throw replaced(skill);
    throw writeFailed(error);
  }
}

/** Finds the link, below the root, that a skill lies behind; for a layer, whose root is unknown, only the last one. */
function findLink({ source, directory }: Skill): string | undefined {
  const parent = dirname(directory);
  const root = source.root ?? dirname(parent);
  for (let current = parent; isBelow(root, current); current = dirname(current)) {
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() === true) return relative(root, current);
  }
  return undefined;
}

/** Gives back what is somebody else's; where there is a new one by now it is kept beside that, where nothing collects it. */
function putBack(trash: string, directory: string): void {
  try {
    renameSync(trash, directory);
  } catch (error) {
    errnoOf(error);
    renameSync(trash, temporaryPath(directory, 'broken'));
  }
}

/** Removes what discovery does not see any more; what is left of it goes with the next skill that is created later. */
function discard(trash: string): void {
  try {
    rmSync(trash, { recursive: true, force: true });
  } catch (error) {
    throw writeFailed(error, 'the skill is gone, but some of its files are left behind');
  }
}

/** Tells whether a directory has a `SKILL.md` with the name of the skill, and no part of its path has become a link. */
async function holds(directory: string, skill: Skill): Promise<boolean> {
  try {
    if (realpathSync.native(directory) !== directory) return false;
    const place = { directory, location: join(directory, 'SKILL.md'), identity: directory };
    const content = await readSkillFile(nodeFileSystem, place, 'SKILL.md', {});
    const { properties } = parseSkill(content, { directoryName: basename(skill.directory) });
    return properties?.name === skill.properties.name;
  } catch (error) {
    if (isSkillError(error)) return false;
    throw error;
  }
}

function replaced(skill: Skill): SkillError {
  return new SkillError(
    'skill-unknown',
    `\`${skill.name}\` is no longer what it was when it was found. Reload the catalog.`,
  );
}
