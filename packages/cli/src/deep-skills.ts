// Finds skills that lie deeper below their root than is searched, where no catalog lists them.

import { type Catalog, createDiagnostic, type Diagnostic } from '@skillful/core';
import type { CommandLine } from './command-line.ts';
import type { SkillOptions } from './loading/options.ts';
import { loadSkills } from './loading/skills.ts';
import { skillFolders } from './skill-folders.ts';

/** Directories below a root that are looked into to find what others pass by. */
const deepest = 16;

/** Finds each skill folder that a deeper search finds and the catalog does not hold, by whatever path. */
export async function findDeepSkills(
  catalog: Catalog,
  options: SkillOptions,
  io: CommandLine,
): Promise<readonly Diagnostic[]> {
  const { catalog: deeper } = await loadSkills({ ...options, depth: deepest }, io);
  const known = new Set(skillFolders(catalog).flatMap(placesOf));
  return skillFolders(deeper)
    .filter((folder) => !placesOf(folder).some((place) => known.has(place)))
    .map(({ source, location }) => createDiagnostic('skill-too-deep', { source: source.id, location }));
}

/** A folder by its path and, where that is known, by its path without links. */
function placesOf(folder: ReturnType<typeof skillFolders>[number]): readonly string[] {
  const { directory } = folder;
  return 'identity' in folder && folder.identity !== undefined ? [directory, folder.identity] : [directory];
}
