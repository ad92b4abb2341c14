// Checks the skills at a path, and returns a result for every given folder.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { type Diagnostic, hasErrors, type SkillProfile, type SkillSource } from '@skillful/core';
import { createDiagnostic } from '@skillful/core/authoring';
import { clientLayouts, fileSource } from '@skillful/core/node';
import { folderAt, isSkillFile } from '../loading/skill-file.ts';
import { reasonOf } from '../loading/sources.ts';
import { unprovenContainment } from '../terminal/diagnostics.ts';
import { type CheckedSkill, checkEntry } from './check-file.ts';
import { findFlatSkills } from './flat.ts';

/** Advice for a path that cannot be checked. */
export const remedy = 'Pass a skill folder, a SKILL.md file, or a folder of skills.';

/**
 * Limits for a whole tree, which cannot be deeper than it has directories. It includes hidden directories such as
 * `.claude/skills`, but not links, which may lead to the whole disk.
 */
const treeBounds = { depth: 1_000_000, maxDirectories: 1_000_000, hidden: true, followSymlinks: false } as const;

/** Where projects and plugins keep skills. */
const usualPlaces: readonly string[] = [
  'skills',
  '.skillful/skills',
  ...Object.values(clientLayouts).flatMap(({ project }) => project),
];

/**
 * Checks a skill folder, a `SKILL.md` or every skill of a tree. `path` must be absolute. A path that cannot be read, and any other
 * file, gets the diagnostic `root-unreadable`.
 */
export async function checkSkills(
  path: string,
  given: string,
  profile: SkillProfile,
): Promise<readonly CheckedSkill[]> {
  const kind = kindOf(path);
  if (typeof kind !== 'string') {
    const site = { source: given, location: path };
    const unreadable = createDiagnostic('root-unreadable', site, kind, profile);
    return [{ ...site, name: basename(path), ok: false, diagnostics: [unreadable], isNothing: true }];
  }
  const isFile = kind === 'file';
  const root = isFile ? dirname(path) : path;
  const source = sourceAt(path, given);
  const { entries, diagnostics } = await source.list({ profile });
  const real = realpathSync.native(root);
  const checked = await Promise.all(entries.map((entry) => checkEntry(source, entry, profile)));
  const skills = checked.map((skill) => ({ ...skill, root: real }));
  // A directory of skills may contain nothing but such files. In a skill, `skills` is a directory like any other.
  const usual = existsSync(join(root, 'SKILL.md')) ? [] : usualPlaces.map((place) => join(root, place));
  // A repository has other files and links at its root, unless its skills are there, too.
  const own = existsSync(join(root, '.git')) ? [] : [root];
  const folders = new Set([...own, ...usual, ...entries.map(({ directory }) => dirname(directory))]);
  // Only below the given directory, which may be a skill itself.
  const inside = isFile ? [] : [...folders].filter((folder) => folder === root || folder.startsWith(join(root, sep)));
  const flat = inside.flatMap((folder) => findFlatSkills(folder, given, profile));
  const isMeant = ({ code, location }: Diagnostic): boolean => {
    const folder = dirname(location);
    const isPlace = folders.has(folder) || folder.split(sep).includes('skills');
    return code !== 'skill-broken-link' || isPlace || isSkillFile(location);
  };
  return [...skills, ...checkOthers(root, [...diagnostics.filter(isMeant), ...flat], skills, given, profile)];
}

/** Creates the source for a path. Of a file, it has only the folder. */
export function sourceAt(path: string, given: string): SkillSource {
  const [root, bounds] = kindOf(path) === 'file' ? [dirname(path), { depth: 0 }] : [path, treeBounds];
  // Under stricter profiles a source withholds what other users can change, but here the user named the directory.
  return fileSource(root, { id: given, skillsChild: false, allowUnsafe: true, ...bounds });
}

/** Returns what is at a path, or why it cannot be checked. */
function kindOf(path: string): 'folder' | 'file' | { readonly reason: string } {
  try {
    if (statSync(path).isDirectory()) return 'folder';
    return isSkillFile(path) ? 'file' : { reason: 'it is neither a folder nor a SKILL.md file' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** Reports everything that the scan did not accept as a skill. A given folder without any skill counts as an invalid skill. */
function checkOthers(
  root: string,
  diagnostics: readonly Diagnostic[],
  skills: readonly CheckedSkill[],
  given: string,
  profile: SkillProfile,
): readonly CheckedSkill[] {
  const known = new Set(skills.map(({ location }) => dirname(location)));
  const missing = (location: string): Diagnostic =>
    createDiagnostic('skill-file-missing', { source: given, location }, undefined, profile);
  const problems = diagnostics.flatMap((diagnostic) => {
    // `checkEntry` has already reported a twin, for every spelling. The platform is no finding about a skill.
    if (diagnostic.code === 'skill-file-twin' || diagnostic.code === unprovenContainment) return [];
    const { code, location } = diagnostic;
    const isBroken = code === 'skill-broken-link' && basename(location) === 'SKILL.md';
    const isMissing = (isBroken || code === 'skill-file-case') && !known.has(dirname(location));
    return isMissing ? [missing(location), diagnostic] : [diagnostic];
  });
  if (skills.length === 0 && !hasErrors(problems)) problems.push(missing(join(root, 'SKILL.md')));
  return [...Map.groupBy(problems, ({ location }) => location)].map(([location, found]) => {
    const name = basename(folderAt(location));
    const isNothing = found.every(({ code }) =>
      code === 'root-unreadable' ? location === root : code === 'skill-file-missing',
    );
    return { source: given, location, name, ok: !hasErrors(found), diagnostics: found, isNothing };
  });
}
