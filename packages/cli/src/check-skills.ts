// Checks the skills behind a path, and has an answer for every folder that it was given.

import { type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  createDiagnostic,
  type Diagnostic,
  hasErrors,
  isSkillError,
  maxSkillBytes,
  parseSkill,
  type SkillEntry,
  SkillError,
  type SkillProfile,
  type SkillSource,
} from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { groupByLocation } from './diagnostic-groups.ts';
import { reasonOf } from './system-reason.ts';
import { findTwins } from './twin-files.ts';

/** What a check of one skill came to. */
export interface CheckedSkill {
  readonly location: string;
  /** The name of the directory where none was understood. */
  readonly name: string;
  /** False where a diagnostic is an error under the profile. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The path that led to it, as it was given. */
  readonly source: string;
  /** The `SKILL.md` as text, where it could be read. */
  readonly text?: string;
}

/** Bounds for a tree that its owner wants checked whole: `.claude/skills` of a repository, too. */
const treeBounds = { depth: 256, maxDirectories: 1_000_000, hidden: true } as const;

/**
 * Checks a skill folder, a `SKILL.md` or every skill of a tree. `path` is absolute. A path that cannot be read is refused
 * with `root-unreadable`.
 *
 * @throws {SkillError} `options-invalid` where it is another file
 */
export async function checkSkills(
  path: string,
  given: string,
  profile: SkillProfile,
): Promise<readonly CheckedSkill[]> {
  const status = statusOf(path);
  if (typeof status === 'string') {
    const unreadable = createDiagnostic(
      'root-unreadable',
      { source: given, location: path },
      { reason: status },
      profile,
    );
    return [{ source: given, location: path, name: basename(path), ok: false, diagnostics: [unreadable] }];
  }
  const isFile = !status.isDirectory();
  if (isFile && basename(path).toLowerCase() !== 'skill.md') {
    const words = 'is neither a folder nor a `SKILL.md`. Name a skill folder, a `SKILL.md` or a folder of skills.';
    throw new SkillError('options-invalid', `\`${given}\` ${words}`);
  }
  const root = isFile ? dirname(path) : path;
  const bounds = isFile ? { depth: 0 } : treeBounds;
  // Under strict rules a source withholds what is in the hands of others, and here that is asked for.
  const source = fileSource(root, { id: given, skillsChild: false, allowUnsafe: true, ...bounds });
  const { entries, diagnostics } = await source.list({ profile });
  const skills = await Promise.all(entries.map((entry) => checkEntry(source, entry, profile)));
  const others = checkOthers(root, diagnostics, skills, given, profile);
  return [...skills, ...others].sort((a, b) => (a.location < b.location ? -1 : 1));
}

/** What the system says of a path, or why it says nothing. */
function statusOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Keeps a byte order mark, so that lines and columns are those of the file as stored. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
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
    const { properties, diagnostics } = parseSkill(bytes, {
      ...site,
      directoryName,
      profile,
      ...(sidecar === undefined ? {} : { codexSidecar: sidecar }),
    });
    const name = properties?.name ?? directoryName;
    const all = [...diagnostics, ...findTwins({ ...site, directory }, profile)];
    return { ...site, name, ok: !hasErrors(all), diagnostics: all, text: decode(bytes) };
  } catch (error) {
    if (!isSkillError(error)) throw error;
    const unreadable = createDiagnostic('skill-file-unreadable', site, { reason: error.message }, profile);
    return { ...site, name: directoryName, ok: false, diagnostics: [unreadable] };
  }
}

/** What the scan could not take for a skill. A folder that was given and holds none at all is refused as one. */
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
    // Each checked skill has said so itself, of every spelling.
    if (diagnostic.code === 'skill-file-twin') return [];
    const isMisspelt = diagnostic.code === 'skill-file-case' && !known.has(dirname(diagnostic.location));
    return isMisspelt ? [missing(diagnostic.location), diagnostic] : [diagnostic];
  });
  if (skills.length === 0 && !hasErrors(problems)) problems.push(missing(join(root, 'SKILL.md')));
  return [...groupByLocation(problems)].map(([location, found]) => {
    const isSkill = basename(location).toLowerCase() === 'skill.md';
    const name = basename(isSkill ? dirname(location) : location);
    return { source: given, location, name, ok: !hasErrors(found), diagnostics: found };
  });
}
