// Finds skills that are files without a directory, which no catalog lists.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, SkillProfile, SkillSource } from '@skillful/core';
import { createDiagnostic, maxSkillBytes, parseSkill } from '@skillful/core/authoring';
import { entriesOf } from '../loading/own-project.ts';

/**
 * Finds each Markdown file in a directory of skills that has the name and the description of a skill, but no directory of its
 * own.
 */
export function findFlatSkills(directory: string, source: string, profile: SkillProfile): readonly Diagnostic[] {
  if (existsSync(join(directory, 'SKILL.md'))) return [];
  return (entriesOf(directory) ?? [])
    .filter((entry) => entry.isFile() && /\.md$/iu.test(entry.name) && entry.name.toLowerCase() !== 'skill.md')
    .filter(({ name }) => isSkillText(join(directory, name)))
    .map(({ name: file }) => {
      return createDiagnostic(
        'skill-directory-missing',
        { source, location: join(directory, file) },
        { file },
        profile,
      );
    });
}

/** Finds such files in the roots of trusted sources. */
export function findFlatSkillsIn(sources: readonly SkillSource[]): readonly Diagnostic[] {
  return sources.flatMap(({ id, root, trusted }) => {
    return trusted && root !== undefined ? findFlatSkills(root, id, 'lenient') : [];
  });
}

function isSkillText(path: string): boolean {
  try {
    if (statSync(path).size > maxSkillBytes) return false;
    return parseSkill(readFileSync(path)).properties !== undefined;
  } catch {
    return false;
  }
}
