// The identity of a skill directory on disk: its path without links, by which it is found and read again.

import { SkillError } from '../../skill/error.ts';
import type { SkillDirectory } from '../../skill/source.ts';

/** Gives the path by which a skill was found. @throws {SkillError} `skill-unknown` where its source gave none */
export function realPathOf({ identity }: SkillDirectory): string {
  if (identity !== undefined) return identity;
  throw new SkillError(
    'skill-unknown',
    'The skill was not found by this source. Pass an entry that its `list` returned.',
  );
}
