// Lists the files of a skill that somebody may know of, whatever its source leaves out by itself.

import { isPathFor } from './paths.ts';
import type { Skill } from './skill.ts';
import type { ListFilesOptions, SkillFileListing } from './source.ts';

/** Throws for the path of a file that a model must not have. */
export type FileCheck = NonNullable<ListFilesOptions['checkPath']>;

/** Lists the bundled files of a skill, without those that a check refuses. */
export async function listFiles(skill: Skill, { signal, checkPath }: ListFilesOptions): Promise<SkillFileListing> {
  if (checkPath === undefined) return skill.source.listFiles(skill, { signal });
  const listing = await skill.source.listFiles(skill, { signal, checkPath });
  return { ...listing, files: listing.files.filter(({ path }) => isPathFor(checkPath, path)) };
}
