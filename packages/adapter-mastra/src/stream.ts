// Writes what happens to skills into the stream of an answer, for a user interface.

import type { ProcessorStreamWriter } from '@mastra/core/processors';
import type { OnSkillEvent, SkillToolkit } from '@skillful/core';

/** Returns a listener that writes news as transient `data-skill` chunks, which no memory keeps. */
export function writeNews({ newsOf }: SkillToolkit, writer: ProcessorStreamWriter | undefined): OnSkillEvent {
  return (event) => {
    const data = newsOf(event);
    // Nobody may be left to read the stream.
    if (data !== undefined) writer?.custom({ type: 'data-skill', data, transient: true }).catch(() => {});
  };
}
