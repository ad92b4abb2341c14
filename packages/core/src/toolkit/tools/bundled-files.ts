// Checks whether any skill of an offer has bundled files of some kind, without reading them.

import { exceedsWrapper } from '../../disclosure/activation-text.ts';
import { listFiles } from '../../skill/files.ts';
import type { Skill } from '../../skill/skill.ts';
import type { SkillFileListing } from '../../skill/source.ts';

/** Limit for skills whose files are listed, because that costs time in every model call. */
const maxListed = 64;

/**
 * Checks whether any skill has files below a directory, or may have some. Lists the files of one skill after the other until one
 * has some.
 */
export async function haveFiles(
  skills: readonly Skill[],
  below: '' | 'scripts/',
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (below === '' && skills.some(({ hasFiles }) => hasFiles === true)) return true;
  const unknown = skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxListed) return true;
  const hasSome = ({ files, truncated }: SkillFileListing) =>
    truncated || files.some(({ path }) => path.startsWith(below));
  for (const skill of unknown) if (await checkFiles(skill, hasSome, signal)) return true;
  return false;
}

/** Limit for skills whose files are counted; higher, because that is done only once. */
const maxCounted = 256;

/** For each skill that was counted, whether it has more files than its wrapper lists. */
const exceeding = new WeakMap<Skill, boolean>();

/**
 * Checks whether any skill has more files than its activation lists, or may have. Lists each skill only once, so that the answer
 * stays the same: tools come first in a prompt, so adding or removing one would invalidate the provider's cache.
 */
export async function haveManyFiles(skills: readonly Skill[], signal: AbortSignal | undefined): Promise<boolean> {
  const unknown = skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxCounted) return true;
  const counted = unknown.map(async (skill) => {
    const isExceeding = exceeding.get(skill) ?? (await checkFiles(skill, exceedsWrapper, signal));
    exceeding.set(skill, isExceeding);
    return isExceeding;
  });
  return (await Promise.all(counted)).includes(true);
}

/** Checks the files of a skill; true if they cannot be listed. */
async function checkFiles(
  skill: Skill,
  check: (listing: SkillFileListing) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return check(await listFiles(skill, { signal }));
  } catch {
    signal?.throwIfAborted();
    return true;
  }
}
