// Says which file could not be changed.

import { isSkillError, SkillError, type SkillErrorCode } from '@skillful/core';

/** Errors whose message has no path, because applications show it to a model. */
const pathless: ReadonlySet<SkillErrorCode> = new Set(['write-failed', 'settings-invalid', 'settings-locked']);

/** Adds the path of a file to the error if changing it fails. */
export async function naming<Result>(path: string, changed: Promise<Result>): Promise<Result> {
  try {
    return await changed;
  } catch (error) {
    if (!isSkillError(error) || !pathless.has(error.code)) throw error;
    throw new SkillError(error.code, `\`${path}\`: ${error.message}`, { cause: error });
  }
}
