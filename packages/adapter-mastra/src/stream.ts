// Writes what happens to skills into the stream of an answer, for a user interface.

import type { ProcessorStreamWriter } from '@mastra/core/processors';
import type { SkillToolkit } from '@skillful/core';

/** Returns listeners that write into a stream. */
export function writeTo(
  writer: Pick<ProcessorStreamWriter, 'custom'> | undefined,
  toolkit: SkillToolkit,
): ReturnType<SkillToolkit['createNewsWriter']> {
  // Writing fails if the stream has no reader any more.
  return toolkit.createNewsWriter({ write: (part) => void writer?.custom(part).catch(() => {}) });
}
