// Checks the skills at a path, and returns a result for every given folder.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import {
  type Diagnostic,
  hasErrors,
  isSkillError,
  type SkillEntry,
  type SkillProfile,
  type SkillSource,
} from '@skillful/core';
import { createDiagnostic, maxSkillBytes, parseSkill } from '@skillful/core/authoring';
import { clientLayouts, fileSource } from '@skillful/core/node';
import { folderAt, isSkillFile } from '../loading/skill-file.ts';
import { reasonOf } from '../loading/sources.ts';
import { findFlatSkills } from './flat.ts';
import { findTwins } from './overlooked.ts';

/** Advice for a path that cannot be checked. */
export const remedy = 'Pass a skill folder, a SKILL.md file, or a folder of skills.';

/** The result of checking one skill. */
export interface CheckedSkill {
  readonly location: string;
  /** The name of the skill, or of its directory if that is not valid. */
  readonly name: string;
  /** False if a diagnostic is an error under the profile. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The path that the user gave. */
  readonly source: string;
  /** The given directory, or the directory of the given file, without links. */
  readonly root?: string;
  /** True for a path that cannot be read or contains no skill, so that it is not counted. */
  readonly isNothing?: boolean;
  /** The `SKILL.md` as text, if it could be read. */
  readonly text?: string;
}

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
  const bounds = isFile ? { depth: 0 } : treeBounds;
  // Under stricter profiles a source withholds what other users can change, but here the user named the directory.
  const source = fileSource(root, { id: given, skillsChild: false, allowUnsafe: true, ...bounds });
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
  const others = checkOthers(root, [...diagnostics.filter(isMeant), ...flat], skills, given, profile);
  return [...skills, ...others].sort((a, b) => (a.location < b.location ? -1 : 1));
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

async function checkEntry(source: SkillSource, entry: SkillEntry, profile: SkillProfile): Promise<CheckedSkill> {
  const { location, directory, sidecar } = entry;
  const directoryName = basename(directory);
  const site = { source: source.id, location };
  if (entry.bytes > maxSkillBytes) {
    const tooLarge = createDiagnostic('skill-too-large', site, { bytes: entry.bytes, limit: maxSkillBytes }, profile);
    return { ...site, name: directoryName, ok: false, diagnostics: [tooLarge] };
  }
  try {
    const bytes = await source.readFile(entry, 'SKILL.md', { maxBytes: maxSkillBytes });
    const { properties, diagnostics } = parseSkill(bytes, { ...site, directoryName, profile, codexSidecar: sidecar });
    const name = properties?.name ?? directoryName;
    // Keeps a byte order mark, so that lines and columns match the stored file.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const all = [...findTwins({ ...site, directory }, profile), ...diagnostics];
    return { ...site, name, ok: !hasErrors(all), diagnostics: all, text };
  } catch (error) {
    if (!isSkillError(error)) throw error;
    const unreadable = createDiagnostic('skill-file-unreadable', site, { reason: error.message }, profile);
    return { ...site, name: directoryName, ok: false, diagnostics: [unreadable] };
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
    // `checkEntry` has already reported it, for every spelling.
    if (diagnostic.code === 'skill-file-twin') return [];
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
