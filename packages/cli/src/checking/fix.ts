// Fixes checked skills in place if the correction needs no guess.

import { dirname } from 'node:path';
import { type Diagnostic, isSkillError, type SkillProfile } from '@skillful/core';
import { type FixedSkill, fixSkill } from '@skillful/core/authoring';
import { replaceFile } from '@skillful/core/node';
import { realPathOf } from '../loading/skill-file.ts';
import type { CheckedSkill } from './check-file.ts';

/** Returns every checked file once, by its own path if that is known, because it may have been reached through links, too. */
export function filesToFix(checked: readonly CheckedSkill[]): readonly CheckedSkill[] {
  const files = new Map<string, CheckedSkill>();
  for (const skill of checked) {
    const real = realPathOf(skill.location);
    if (!files.has(real) || skill.location === real) files.set(real, skill);
  }
  return [...files.values()];
}

/** Plans how to fix the text of a skill; undefined if there is nothing to fix. Writes no file. */
export function planFix(
  { text, location, source, directoryName, diagnostics }: CheckedSkill,
  profile: SkillProfile,
): FixedSkill | undefined {
  if (text === undefined || diagnostics.some(({ code }) => code.startsWith('encoding-'))) return undefined;
  const result = fixSkill(text, { location, source, directoryName, profile });
  return result.text === text ? undefined : result;
}

/**
 * Fixes the file of a skill, and keeps its permissions and links to it. Skips a file that is not UTF-8, because bytes would get
 * lost. Refuses a file that is outside the given directory, has changed since it was checked or cannot be written.
 */
export async function fixSkillFile(
  skill: CheckedSkill,
  profile: SkillProfile,
): Promise<{ readonly fixed: readonly Diagnostic[]; readonly refusal?: string }> {
  const { text, location, root = dirname(location) } = skill;
  const result = planFix(skill, profile);
  if (result === undefined) return { fixed: [] };
  try {
    await replaceFile(location, result.text, { inPlace: true, within: root, expected: text });
  } catch (cause) {
    if (!isSkillError(cause)) throw cause;
    const isNamed = cause.code === 'skill-protected';
    return { fixed: [], refusal: isNamed ? cause.message : `\`${location}\` was not fixed. ${cause.message}` };
  }
  return { fixed: result.fixed };
}
