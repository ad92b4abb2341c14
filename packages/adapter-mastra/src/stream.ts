// Writes what happens to skills into the stream of an answer, for a user interface.

import type { ProcessorStreamWriter } from '@mastra/core/processors';
import type { SkillContext, SkillToolkit } from '@skillful/core';

/**
 * Returns listeners that write transient chunks, which no memory stores: events as `data-skill`, and the output of scripts as
 * `data-skill-progress`. A question contains the id of the call that waits for the answer.
 */
export function writeTo(
  writer: Pick<ProcessorStreamWriter, 'custom'> | undefined,
  { newsOf }: SkillToolkit,
  call?: string,
): Pick<SkillContext, 'onEvent' | 'onProgress'> {
  // Writing fails if the stream has no reader any more.
  const write = (type: `data-${string}`, data: unknown) =>
    void writer?.custom({ type, data, transient: true }).catch(() => {});
  return {
    onEvent(event) {
      const news = newsOf(event);
      const question = event.type === 'approval-needed' ? event.question?.text : undefined;
      if (news !== undefined) write('data-skill', question === undefined ? news : { ...news, question, call });
    },
    onProgress: (data) => write('data-skill-progress', data),
  };
}
