// The identity of a skill directory as one string, so that it can travel with a skill and be compared.

import { SkillError } from '../error.ts';
import type { SkillDirectory } from '../source.ts';
import type { PinnedDirectory } from './contained-file.ts';

/** Two entries with the same text are the same directory, however each was reached. */
export function formatIdentity({ inode, realPath }: PinnedDirectory): string {
  return [inode, realPath].join(':');
}

/** @throws {SkillError} `skill-unknown` where the skill was not found by a file source */
export function readIdentity(skill: SkillDirectory): PinnedDirectory {
  const match = /^(\d+:\d+):(.+)$/s.exec(skill.identity ?? '');
  const [, inode, realPath] = match ?? [];
  if (inode === undefined || realPath === undefined) {
    throw new SkillError(
      'skill-unknown',
      'The skill was not found by this source. Pass an entry that its `list` returned.',
    );
  }
  return { inode, realPath };
}
