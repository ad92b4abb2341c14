// Whether a path belongs to a skill: what a host asks before it reads a file without its own limits and prompts.

import { realpath } from 'node:fs/promises';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Skill } from '../../skill/skill.ts';
import { isBelow } from '../disk/contained-file.ts';

/**
 * Finds the skill of a catalog whose directory holds a path, by real paths on both sides; undefined where none does or
 * the path does not exist. Shadowed skills own their files, too.
 *
 * The answer holds for the moment: a host that reads the file afterwards by its path reads whatever is there then.
 */
export async function findSkillAt(catalog: Catalog, path: string): Promise<Skill | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const skills = [...catalog.skills, ...catalog.shadowed.map(({ skill }) => skill)];
  return skills.find((skill) => {
    const { identity } = skill;
    return identity !== undefined && (real === identity || isBelow(identity, real));
  });
}
