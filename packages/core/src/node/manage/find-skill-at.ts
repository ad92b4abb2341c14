// Finds the skill that a path belongs to, for hosts that treat files of skills specially.

import { realpath } from 'node:fs/promises';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Skill } from '../../skill/skill.ts';
import { isBelow } from '../disk/contained-file.ts';

/**
 * Finds the skill, shadowed or not, whose directory contains a path; of skills in each other, the innermost. Compares paths
 * without links; returns `undefined` if there is no such skill or the path does not exist.
 *
 * The answer may be outdated when the host reads the file.
 */
export async function findSkillAt(catalog: Catalog, path: string): Promise<Skill | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const skills = [...catalog.skills, ...catalog.shadowed.map(({ skill }) => skill)];
  const around = skills.filter(
    ({ identity }) => identity !== undefined && (real === identity || isBelow(identity, real)),
  );
  // A skill at the root of a source is around the others.
  return around.sort((one, other) => (other.identity?.length ?? 0) - (one.identity?.length ?? 0))[0];
}
