// Finds files where there should be the directory of a skill, which no catalog lists.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Diagnostic, SkillProfile, SkillSource } from '@skillful/core';
import { createDiagnostic, maxSkillBytes, parseSkill } from '@skillful/core/authoring';
import { entriesOf } from '../loading/entries.ts';

/**
 * Finds each Markdown file in a directory of skills that has the name and the description of a skill, but no directory of its
 * own, and each file that git wrote instead of a link to a directory.
 */
export function findFlatSkills(directory: string, source: string, profile: SkillProfile): readonly Diagnostic[] {
  if (existsSync(join(directory, 'SKILL.md'))) return [];
  const files = (entriesOf(directory) ?? []).filter((entry) => entry.isFile()).map(({ name }) => name);
  const flat = files
    .filter((file) => /\.md$/iu.test(file) && file.toLowerCase() !== 'skill.md' && isSkillText(join(directory, file)))
    .map((file) => {
      const site = { source, location: join(directory, file) };
      return createDiagnostic('skill-directory-missing', site, { file }, profile);
    });
  const links = [directory, ...files.map((file) => join(directory, file))]
    .filter(isTextLink)
    .map((location) => createDiagnostic('link-as-text', { source, location }, undefined, profile));
  return [...flat, ...links];
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

/** Recognises a link to a directory that is a text file. */
function isTextLink(path: string): boolean {
  try {
    const status = statSync(path);
    if (!status.isFile() || status.size > 1024) return false;
    const target = readFileSync(path, 'utf8');
    // On Windows, looking up `//host/share` sends a hash of the user's password to that host.
    if (!target.includes('/') || isAbsolute(target)) return false;
    return statSync(join(dirname(path), target)).isDirectory();
  } catch {
    return false;
  }
}
