// Finds what a catalog does not list: skills inside other skills, skills that are too deep, and misspelt files next to a
// `SKILL.md`.

import { join } from 'node:path';
import {
  type Catalog,
  type Diagnostic,
  loadCatalog,
  type RejectedSkill,
  type Skill,
  type SkillProfile,
} from '@skillful/core';
import { createDiagnostic } from '@skillful/core/authoring';
import { isLeftover, loadSettings } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { entriesOf, isEntered } from '../loading/entries.ts';
import type { SkillOptions } from '../loading/options.ts';
import { chooseSources } from '../loading/sources.ts';
import { withProgress } from '../terminal/progress.ts';

const maxDirectories = 2000;

/** Levels below a root for the deeper search. */
const deepest = 16;

/** Returns every skill folder of a catalog, including shadowed and rejected ones. */
export function skillFolders({ skills, shadowed, rejected }: Catalog): readonly (Skill | RejectedSkill)[] {
  return [...skills, ...shadowed.map(({ skill }) => skill), ...rejected];
}

/** Finds each `SKILL.md` inside a skill, unless it is itself a skill of the catalog. Does not follow links. */
export function findNestedSkills(catalog: Catalog): readonly Diagnostic[] {
  const skills = skillFolders(catalog);
  // The place without links is also known, because it may be below the other one.
  const known = new Set(skills.flatMap(({ location, identity }) => [location, join(identity ?? '', 'SKILL.md')]));
  return skills.flatMap(({ source: { id: source }, directory, location: outer }) => {
    const nested = listBelow(directory).filter((location) => !known.has(location));
    for (const location of nested) known.add(location);
    return nested.map((location) => createDiagnostic('skill-nested', { source, location }, { outer }));
  });
}

/** Lists the `SKILL.md` files below a directory, but not the one in it, sorted. */
function listBelow(directory: string): readonly string[] {
  const found: string[] = [];
  const queue = [directory];
  for (let next = 0; next < Math.min(queue.length, maxDirectories); next += 1) {
    const current = queue[next] ?? directory;
    for (const entry of entriesOf(current) ?? []) {
      const path = join(current, entry.name);
      if (isEntered(entry) && !isLeftover(entry.name)) queue.push(path);
      else if (entry.isFile() && entry.name === 'SKILL.md' && current !== directory) found.push(path);
    }
  }
  return found.sort();
}

/** Finds the skill folders that only a deeper search finds. */
export async function findDeepSkills(
  catalog: Catalog,
  options: SkillOptions,
  io: CommandLine,
): Promise<readonly Diagnostic[]> {
  const settings = await loadSettings({ environment: io.environment });
  const { sources } = await chooseSources({ ...options, depth: deepest }, settings, io);
  const deeper = await withProgress('Looking deeper', io, loadCatalog(sources, { previous: catalog }));
  const known = new Set(skillFolders(catalog).flatMap(pathsOf));
  return skillFolders(deeper)
    .filter((folder) => !pathsOf(folder).some((path) => known.has(path)))
    .map(({ source, location }) => createDiagnostic('skill-too-deep', { source: source.id, location }));
}

/** Returns the path of a folder, and its path without links if known. */
function pathsOf({ directory, identity = directory }: Skill | RejectedSkill): readonly string[] {
  return [directory, identity];
}

/** Finds each file next to a `SKILL.md` whose name differs only in letter case, because other clients may read it instead. */
export function findTwins(
  { source, directory, location }: Readonly<Record<'source' | 'directory' | 'location', string>>,
  profile: SkillProfile,
): readonly Diagnostic[] {
  return (entriesOf(directory) ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== 'SKILL.md' && name.toLowerCase() === 'skill.md')
    .sort()
    .map((file) => createDiagnostic('skill-file-twin', { source, location }, { file }, profile));
}
