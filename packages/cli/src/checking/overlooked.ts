// Finds what looks like a skill and lies inside another one, where no catalog lists it.

import { join } from 'node:path';
import { type Catalog, createDiagnostic, type Diagnostic } from '@skillful/core';
import { entriesOf, skillFolders } from '../skill-folders.ts';

/** Directories that are looked into for one skill. */
const maxDirectories = 2000;

const neverEntered: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Finds each `SKILL.md` below the skills of a catalog that is not one of its skills itself; links are not followed. */
export function findNestedSkills(catalog: Catalog): readonly Diagnostic[] {
  const skills = skillFolders(catalog);
  const known = new Set(skills.map(({ location }) => location));
  return skills.flatMap(({ source: { id: source }, directory, location: outer }) => {
    const nested = listBelow(directory).filter((location) => !known.has(location));
    for (const location of nested) known.add(location);
    return nested.map((location) => createDiagnostic('skill-nested', { source, location }, { outer }));
  });
}

/** The `SKILL.md` files below a directory, the directory's own left out, in the same order each time. */
function listBelow(directory: string): readonly string[] {
  const found: string[] = [];
  const queue = [directory];
  for (let next = 0; next < Math.min(queue.length, maxDirectories); next += 1) {
    const current = queue[next] ?? directory;
    for (const entry of entriesOf(current)) {
      const path = join(current, entry.name);
      if (entry.isDirectory() && !neverEntered.has(entry.name)) queue.push(path);
      else if (entry.isFile() && entry.name === 'SKILL.md' && current !== directory) found.push(path);
    }
  }
  return found.sort();
}
