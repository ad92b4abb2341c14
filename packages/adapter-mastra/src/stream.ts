// Writes what happens to skills into the stream of an answer, for a user interface.

import type { ProcessorStreamWriter } from '@mastra/core/processors';
import type { OnSkillEvent, SkillEvent } from '@skillful/core';

/** What a browser is told: neither texts nor anything about the server. */
export type SkillNews = Pick<
  Extract<SkillEvent, { type: 'activated' | 'reattached' | 'left-out' | 'deactivated' }>,
  'type' | 'skill'
>;

/** Returns a listener that writes what begins, moves and ends as transient `data-skill` chunks, which no memory keeps. */
export function writeNews(writer: ProcessorStreamWriter | undefined): OnSkillEvent {
  return (event) => {
    const { type } = event;
    if (type !== 'activated' && type !== 'reattached' && type !== 'left-out' && type !== 'deactivated') return;
    const data: SkillNews = { type, skill: event.skill };
    // Nobody may be left to read the stream.
    writer?.custom({ type: 'data-skill', data, transient: true }).catch(() => {});
  };
}
