// Corrects checked skills in place, where it is clear how.

import { basename, dirname } from 'node:path';
import { type Diagnostic, fixSkill, hasErrors, type SkillProfile } from '@skillful/core';
import { replaceFile } from '../replace-file.ts';
import type { CheckedSkill } from './check.ts';

/** A checked skill after its correction, and what was corrected. */
export interface FixedSkillFile {
  readonly skill: CheckedSkill;
  readonly fixed: readonly Diagnostic[];
}

/**
 * Corrects the file of a skill. A file that is not UTF-8 is left alone, for bytes of it would get lost.
 *
 * @throws {SkillError} `write-failed`
 */
export function fixSkillFile(skill: CheckedSkill, profile: SkillProfile): FixedSkillFile {
  const { text, location, source } = skill;
  if (text === undefined || skill.diagnostics.some(({ code }) => code.startsWith('encoding-')))
    return { skill, fixed: [] };
  const result = fixSkill(text, { location, source, directoryName: basename(dirname(location)), profile });
  if (result.text === text) return { skill, fixed: [] };
  replaceFile(location, result.text);
  const { left: diagnostics, fixed } = result;
  return { skill: { ...skill, text: result.text, diagnostics, ok: !hasErrors(diagnostics) }, fixed };
}
