// Shows a browser what happens to skills while an answer is streamed.

import type { OnSkillEvent, SkillEvent } from '@skillful/core';

/** What a browser is told: neither texts nor anything about the server. */
export type SkillNews = Pick<
  Extract<SkillEvent, { type: 'activated' | 'reattached' | 'left-out' | 'deactivated' }>,
  'type' | 'skill'
>;

/** The data parts of a message, for `UIMessage` and `useChat`. */
export type SkillDataParts = { skill: SkillNews };

/** Returns `onEvent` for the options of a call: it writes what begins, moves and ends as transient parts. */
export function writeSkillNews(writer: {
  write(part: { type: 'data-skill'; data: SkillNews; transient: true }): void;
}): OnSkillEvent {
  return (event) => {
    const { type } = event;
    if (type !== 'activated' && type !== 'reattached' && type !== 'left-out' && type !== 'deactivated') return;
    writer.write({ type: 'data-skill', data: { type, skill: event.skill }, transient: true });
  };
}
