// Writes what happens to skills into the stream of an answer, for a user interface.

import type { ProcessorStreamWriter } from '@mastra/core/processors';
import type { OnSkillEvent, SkillContext, SkillToolkit } from '@skillful/core';

/**
 * Returns a listener that writes news as transient `data-skill` chunks, which no memory keeps. A question to a person names the
 * call that waits for their answer.
 */
export function writeNews(
  { newsOf }: SkillToolkit,
  writer: Pick<ProcessorStreamWriter, 'custom'> | undefined,
  call?: string,
): OnSkillEvent {
  return (event) => {
    const news = newsOf(event);
    if (news === undefined) return;
    const asked = event.type === 'approval-needed' && event.question;
    const data = asked ? { ...news, question: asked.text, call } : news;
    // Nobody may be left to read the stream.
    writer?.custom({ type: 'data-skill', data, transient: true }).catch(() => {});
  };
}

/** Returns a listener that writes what a script writes, while it runs, as transient `data-skill-progress` chunks. */
export function writeProgress(writer: Pick<ProcessorStreamWriter, 'custom'> | undefined): SkillContext['onProgress'] {
  return (data) => void writer?.custom({ type: 'data-skill-progress', data, transient: true }).catch(() => {});
}
