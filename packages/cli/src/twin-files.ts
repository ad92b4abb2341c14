// Finds a file beside a `SKILL.md` that other clients could take for it.

import { createDiagnostic, type Diagnostic, type SkillProfile } from '@skillful/core';
import { entriesOf } from './skill-folders.ts';

/** Where a skill is, and the name of what found it. */
interface SkillPlace {
  readonly source: string;
  readonly directory: string;
  readonly location: string;
}

/** Gives a diagnostic for each name beside a `SKILL.md` that differs from it in its case only. */
export function findTwins({ source, directory, location }: SkillPlace, profile: SkillProfile): readonly Diagnostic[] {
  return entriesOf(directory)
    .map(({ name }) => name)
    .filter((name) => name !== 'SKILL.md' && name.toLowerCase() === 'skill.md')
    .sort()
    .map((file) => createDiagnostic('skill-file-twin', { source, location }, { file }, profile));
}
