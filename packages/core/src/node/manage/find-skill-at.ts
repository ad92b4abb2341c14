// Finds the skill that a path belongs to, for applications that treat files of skills specially.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalog, skillsOf } from '../../catalog/catalog.ts';
import { createInnerCheck } from '../../catalog/inner-skill.ts';
import { isPathFor } from '../../skill/paths.ts';
import type { Skill } from '../../skill/skill.ts';
import { isOfInnerSkill } from '../discovery/skill-directory.ts';
import { isAtOrBelow, pathBelow } from '../disk/contained-file.ts';
import { nodeFileSystem } from '../disk/file-system.ts';

/**
 * Finds the skill, shadowed or not, whose directory contains a path; of nested skills, the innermost one. Compares paths without
 * links. Returns `undefined` if there is no such skill, if the catalog does not offer the innermost one, or if the path does not
 * exist.
 *
 * The result may be outdated by the time the application reads the file.
 */
export async function findSkillAt(catalog: Catalog, path: string): Promise<Skill | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const around = skillsOf(catalog).filter(({ identity }) => identity !== undefined && isAtOrBelow(identity, real));
  const [skill] = around.sort((one, other) => (other.identity?.length ?? 0) - (one.identity?.length ?? 0));
  if (skill?.identity === undefined) return undefined;
  const checkInner = createInnerCheck(catalog, skill);
  if (checkInner !== undefined && !isPathFor(checkInner, pathBelow(skill.identity, real))) return undefined;
  // A skill at the root of a source contains other skills, also some that are not in the catalog.
  if (skill.source.root !== skill.directory) return skill;
  // `SKILL.md` is added, because the path may be a directory.
  return isOfInnerSkill(nodeFileSystem, skill.identity, join(real, 'SKILL.md')) ? undefined : skill;
}
