// Shows a browser what happens to skills while an answer is streamed.

import type { OnSkillEvent, SkillNews, SkillToolkit } from '@skillful/core';

/** The data parts of a message, for `UIMessage` and `useChat`. */
export type SkillDataParts = { skill: SkillNews };

/** Returns `onEvent` for the options of a call: it writes what begins, moves and ends as transient parts. */
export function writeSkillNews(
  toolkit: SkillToolkit,
  writer: { write(part: { type: 'data-skill'; data: SkillNews; transient: true }): void },
): OnSkillEvent {
  return (event) => {
    const data = toolkit.newsOf(event);
    if (data !== undefined) writer.write({ type: 'data-skill', data, transient: true });
  };
}
