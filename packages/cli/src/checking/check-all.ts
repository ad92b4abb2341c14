// Checks everything that a command names, and selects which results count.

import type { SkillProfile } from '@skillful/core';
import type { CommandLine } from '../command-line.ts';
import { resolvePath, workingDirectory } from '../loading/sources.ts';
import { leaveOutKnown, readBaseline } from './baseline.ts';
import { checkSkills } from './check.ts';
import { type CheckedSkill, checkStandardInput, standardInput } from './check-file.ts';

/** What to check, and what to leave out. */
export interface CheckOptions {
  /** Paths, and `-` for the standard input. */
  readonly paths: readonly string[];
  readonly profile: SkillProfile;
  readonly cwd?: string | undefined;
  /** Only checks skills that have changed since this commit. */
  readonly since?: string | undefined;
  /** A file with findings to leave out. */
  readonly baseline?: string | undefined;
}

/** Checks every path. A skill that is reached by two paths is checked once. */
export async function checkAll(
  { paths, profile, cwd, since, baseline }: CheckOptions,
  io: CommandLine,
): Promise<readonly CheckedSkill[]> {
  const directory = workingDirectory({ cwd }, io);
  // Before the checks, because it is more likely to be wrong, and takes no time.
  const known = baseline === undefined ? undefined : await readBaseline(resolvePath(baseline, directory, io), baseline);
  const checked = new Map<string, CheckedSkill>();
  for (const path of paths) {
    const found =
      path === standardInput
        ? [await checkStandardInput(profile, io)]
        : await checkSkills(resolvePath(path, directory, io), path, profile);
    for (const skill of found) if (!checked.has(skill.location)) checked.set(skill.location, skill);
  }
  const all = [...checked.values()].sort((a, b) => (a.location < b.location ? -1 : 1));
  // First, because a baseline counts the findings of all skills whose folders have the same name.
  const fresh = known === undefined ? all : leaveOutKnown(all, known);
  if (since === undefined) return fresh;
  // Loaded only now, because Node loads a lot to start a process.
  const { keepChanged } = await import('./changed.ts');
  return keepChanged(fresh, { ref: since, directory, environment: io.environment });
}
