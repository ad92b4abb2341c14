// Whether any skill has files to read: a tool for them costs tokens in every model call.

import type { Skill } from '../skill/skill.ts';

/** Skills that are asked; a catalog with more of them that all have none is not worth the time of every model call. */
const maxAsked = 64;

/**
 * Tells whether any of some skills has bundled files, or could have: names only are listed, of one skill after the other
 * until one has some. What a source says when it lists a skill is not asked for again.
 */
export async function haveFiles(skills: readonly Skill[], signal: AbortSignal | undefined): Promise<boolean> {
  if (skills.some(({ hasFiles }) => hasFiles === true)) return true;
  const unknown = skills.filter(({ hasFiles }) => hasFiles === undefined);
  if (unknown.length > maxAsked) return true;
  for (const skill of unknown) if (await hasFiles(skill, signal)) return true;
  return false;
}

/** What cannot be listed may have files. */
async function hasFiles(skill: Skill, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const { files, truncated } = await skill.source.listFiles(skill, { signal });
    return files.length > 0 || truncated;
  } catch {
    signal?.throwIfAborted();
    return true;
  }
}
