// Checks whether any skill of an offer has bundled files of some kind, by their names alone.

import type { Skill } from '../skill/skill.ts';

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

async function haveSome(
  skills: readonly Skill[],
  isWanted: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const unknown = skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxListed) return true;
  for (const skill of unknown) if (await mayHave(skill, isWanted, signal)) return true;
  return false;
}

async function mayHave(
  skill: Skill,
  isWanted: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const { files, truncated } = await skill.source.listFiles(skill, { signal });
    return files.some(({ path }) => isWanted(path)) || truncated;
  } catch {
    signal?.throwIfAborted();
    return true;
  }
}
