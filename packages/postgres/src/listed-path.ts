// Checks paths that the database returns, because whoever can write to it may have written any text.

import { checkListedPath, isSkillError } from '@skillful/core';

/** Checks whether a text is a relative path that leads nowhere else. */
export function isListedPath(path: string): boolean {
  try {
    checkListedPath(path);
    return true;
  } catch (error) {
    if (isSkillError(error)) return false;
    throw error;
  }
}
