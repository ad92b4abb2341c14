// Recognises a `SKILL.md` by its path, and finds its folder.

import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Checks whether a path is that of a `SKILL.md`, in upper or lower case. */
export function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === 'skill.md';
}

/** Returns the folder of a skill by its path or that of its `SKILL.md`. */
export function folderAt(path: string): string {
  return isSkillFile(path) ? dirname(path) : path;
}

/** Returns a path without links, or the path itself if nothing is there. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
