// What a browser may be told of an event: what begins, moves and ends, neither texts nor anything about the server.

import type { SkillEvent } from './event.ts';

/** What happened to a skill. `left-out` says that its instructions were lost and no longer fit. */
export type SkillNews = Pick<
  Extract<SkillEvent, { type: 'activated' | 'reattached' | 'left-out' | 'deactivated' }>,
  'type' | 'skill'
>;

/** Returns what a browser may be told of an event; nothing for events that are not for people. */
export function newsOf(event: SkillEvent): SkillNews | undefined {
  const { type } = event;
  if (type !== 'activated' && type !== 'reattached' && type !== 'left-out' && type !== 'deactivated') return undefined;
  return { type, skill: event.skill };
}
