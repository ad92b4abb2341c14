// Where the rules are strict, a file with several names is not read: one of them may be outside of the skill.

import type { SkillProfile } from '../../diagnostics/diagnostic.ts';

/** Tells whether a file with so many hard links is one that the rules do not let be read. */
export function isRefusedHardLink(links: number, profile: SkillProfile = 'lenient'): boolean {
  return links > 1 && profile !== 'lenient';
}
