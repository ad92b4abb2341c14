// Finds files of a skill that models cannot read.

import { existsSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Diagnostic, SkillDirectory, SkillSource } from '@skillful/core';
import { checkFileNames, createDiagnostic } from '@skillful/core/authoring';
import { entriesOf, isEntered } from '../loading/entries.ts';
import { realPathOf } from '../loading/skill-file.ts';

/** Finds files that models cannot read, because of their names, or because they are links that lead out of the skill. */
export async function findLostFiles(
  source: SkillSource,
  skill: SkillDirectory & { readonly location: string },
): Promise<readonly Diagnostic[]> {
  const site = { source: source.id, location: skill.location };
  const listing = await source.listFiles(skill);
  const listed = new Set(listing.files.map(({ path }) => path));
  const root = realPathOf(skill.directory);
  const lost = listing.truncated
    ? []
    : linksBelow(root).filter((file) => !listed.has(file) && !isAnotherPath(root, file));
  return [
    ...checkFileNames(listing, site),
    ...lost.map((file) => {
      const reason = existsSync(join(root, file)) ? 'out of the skill' : 'nowhere';
      return createDiagnostic('resource-link-lost', site, { file, reason });
    }),
  ];
}

/** Lists the links below the directory of a skill whose files are all listed, so it is not large, by paths with slashes. */
function linksBelow(root: string): readonly string[] {
  const links: string[] = [];
  const queue = [root];
  for (const current of queue) {
    for (const entry of entriesOf(current) ?? []) {
      const path = join(current, entry.name);
      if (entry.name === 'SKILL.md') continue;
      if (entry.isSymbolicLink()) links.push(relative(root, path).replaceAll(sep, '/'));
      else if (isEntered(entry) && !existsSync(join(path, 'SKILL.md'))) queue.push(path);
    }
  }
  return links.sort();
}

/** Checks whether a link leads to a directory of the skill, whose files have paths of their own. */
function isAnotherPath(root: string, file: string): boolean {
  const target = realPathOf(join(root, file));
  return target.startsWith(join(root, sep)) && existsSync(target) && statSync(target).isDirectory();
}
