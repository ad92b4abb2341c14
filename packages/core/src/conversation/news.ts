// What a browser may be told about an event: what begins, moves and ends, but no texts and nothing about the server.

import type { SkillEvent } from './event.ts';

/**
 * What happened to a skill. `approval-needed` says that the model asked for it and a person must agree, `left-out` that its
 * instructions were lost and no longer fit.
 */
export type SkillNews = Pick<
  Extract<SkillEvent, { type: 'approval-needed' | 'activated' | 'reattached' | 'left-out' | 'deactivated' }>,
  'type' | 'skill'
>;

/** Returns what a browser may be told about an event; undefined for events that are not for people. */
export function newsOf(event: SkillEvent): SkillNews | undefined {
  switch (event.type) {
    case 'approval-needed':
    case 'activated':
    case 'reattached':
    case 'left-out':
    case 'deactivated':
      return { type: event.type, skill: event.skill };
    default:
      return undefined;
  }
}
