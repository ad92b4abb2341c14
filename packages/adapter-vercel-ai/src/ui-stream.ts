// Shows a browser what happens to skills while an answer is streamed.

import type { OnSkillEvent, ScriptProgress, SkillNews, SkillToolkit } from '@skillful/core';

/** The data parts of a message, for `UIMessage` and `useChat`. */
export type SkillDataParts = { skill: SkillNews; 'skill-progress': ScriptProgress };

/** Returns an `onEvent` for the options of a call. It writes which skills begin, move and end as transient parts. */
export function writeSkillNews(
  toolkit: SkillToolkit,
  writer: { write(part: { type: 'data-skill'; data: SkillNews; transient: true }): void },
): OnSkillEvent {
  return (event) => {
    const data = toolkit.newsOf(event);
    if (data !== undefined) writer.write({ type: 'data-skill', data, transient: true });
  };
}

/**
 * Returns an `onProgress` for the options of a call. It writes the output of a script as transient parts while the script runs.
 */
export function writeScriptProgress(writer: {
  write(part: { type: 'data-skill-progress'; data: ScriptProgress; transient: true }): void;
}): (progress: ScriptProgress) => void {
  return (data) => writer.write({ type: 'data-skill-progress', data, transient: true });
}
