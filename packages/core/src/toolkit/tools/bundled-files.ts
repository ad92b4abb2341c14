// Checks whether any skill of an offer has bundled files of some kind, by their names alone.

import { exceedsWrapper } from '../../disclosure/activation-text.ts';
import { listFiles } from '../../skill/files.ts';
import type { Skill } from '../../skill/skill.ts';

/** Limit for skills whose files are listed; listing more is not worth the time of every model call. */
const maxListed = 64;

/** Checks whether any skill has files, or may have; lists the names of one skill after the other until one has some. */
export async function haveFiles(skills: readonly Skill[], signal: AbortSignal | undefined): Promise<boolean> {
  return skills.some(({ hasFiles }) => hasFiles === true) || haveSome(skills, () => true, signal);
}

/** Checks whether any skill has scripts, or may have. */
export async function haveScripts(skills: readonly Skill[], signal: AbortSignal | undefined): Promise<boolean> {
  return haveSome(skills, (path) => path.startsWith('scripts/'), signal);
}

/** Limit for skills whose files are counted, because that is done once. */
const maxCounted = 256;

/** Whether each skill that was counted has more files than that. */
const exceeding = new WeakMap<Skill, boolean>();

/**
 * Checks whether any skill has more files than its activation lists, or may have. Each skill is listed once in its life, because
 * the tools of a conversation come first in a prompt: if one came or went, the provider's cache would be lost.
 */
export async function haveManyFiles(skills: readonly Skill[], signal: AbortSignal | undefined): Promise<boolean> {
  const unknown = skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxCounted) return true;
  const counted = unknown.map(async (skill) => {
    const isExceeding = exceeding.get(skill) ?? (await exceeds(skill, signal));
    exceeding.set(skill, isExceeding);
    return isExceeding;
  });
  return (await Promise.all(counted)).includes(true);
}

async function exceeds(skill: Skill, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return exceedsWrapper(await listFiles(skill, { signal }));
  } catch {
    signal?.throwIfAborted();
    return true;
  }
}

async function haveSome(
  skills: readonly Skill[],
  isWanted: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const unknown = skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxListed) return true;
  for (const skill of unknown) {
    try {
      const { files, truncated } = await listFiles(skill, { signal });
      if (truncated || files.some(({ path }) => isWanted(path))) return true;
    } catch {
      signal?.throwIfAborted();
      return true;
    }
  }
  return false;
}
