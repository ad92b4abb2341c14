// Finds the `skill.md` beside a `SKILL.md` that some clients read in its place.

import { sep } from 'node:path';
import { type FileSystem, orElse } from '../disk/file-system.ts';
import { skillFileSuffix } from './skill-stamp.ts';

/** What other clients look for where there is no `SKILL.md`, or before it. */
export const twinName = 'skill.md';

const twinSuffix = `${sep}${twinName}`;

/** Tells whether a skill has a `skill.md` that is another file; on a disk that tells no cases apart it is the same one. */
export function hasLowercaseTwin(files: FileSystem, directory: string): boolean {
  if (!files.exists(directory + twinSuffix)) return false;
  return orElse(false, () => files.realpath(directory + twinSuffix) !== files.realpath(directory + skillFileSuffix));
}
