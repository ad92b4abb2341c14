// Says more about an error than the core can know.

import { isSkillError, SkillError } from '@skillful/core';

/** Waits for work. If it fails with a `SkillError`, gives the error another message. */
export async function rewordError<Result>(
  work: Promise<Result>,
  reword: (error: SkillError) => string,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isSkillError(error)) throw error;
    throw new SkillError(error.code, reword(error), { cause: error });
  }
}
