// The folders of a catalog that hold a `SKILL.md`, and what stands in a directory, for the commands that look closer.

import { type Dirent, readdirSync } from 'node:fs';
import type { Catalog, RejectedSkill, Skill } from '@skillful/core';

/** Gives every folder of a catalog, whatever became of its skill. */
export function skillFolders({ skills, shadowed, rejected }: Catalog): readonly (Skill | RejectedSkill)[] {
  return [...skills, ...shadowed.map(({ skill }) => skill), ...rejected];
}

/** Reads the entries of a directory. What cannot be read holds nothing that could be named. */
export function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
