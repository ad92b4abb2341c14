// Tells clients, such as people at a browser, what happens to skills: no instructions, and nothing about the server.

import type { ScriptProgress } from '../disclosure/progress.ts';
import type { OnSkillEvent, ReportedEvent, SkillEvent } from './event.ts';

/**
 * What happened to a skill, for people. `approval-needed`: a person must agree before the model gets it. `left-out`: its
 * instructions were lost and no longer fit the budget.
 */
export interface SkillNews
  extends Pick<
    Extract<SkillEvent, { type: 'approval-needed' | 'activated' | 'reattached' | 'left-out' | 'deactivated' }>,
    'type' | 'skill'
  > {
  /** The question to a person, if a tool call waits for the answer, and the id of that call. */
  readonly question?: string | undefined;
  readonly call?: string | undefined;
}

/** The data parts of a message in the form of the AI SDK, for its types `UIMessage` and `useChat`. */
export type SkillDataParts = { skill: SkillNews; 'skill-progress': ScriptProgress };

/** A data part in a stream. It is transient: no message keeps it. */
export type SkillDataPart = {
  [Name in keyof SkillDataParts]: { type: `data-${Name}`; data: SkillDataParts[Name]; transient: true };
}[keyof SkillDataParts];

/** Returns what the clients of a run may know of an event. The rest tells about skills that they must not know. */
export function showToClients(event: ReportedEvent): ReportedEvent | undefined {
  if (event.type === 'refused' || event.type === 'included') return undefined;
  if (event.type !== 'left-out') return event;
  const { reason: _, ...shown } = event;
  return shown;
}

/** Returns the part of an event that a browser may see. Undefined for events that are not for people. */
export function newsOf(event: ReportedEvent): SkillNews | undefined {
  switch (event.type) {
    case 'approval-needed': {
      const { type, skill, question, call } = event;
      return { type, skill, ...(question && call !== undefined && { question: question.text, call }) };
    }
    case 'activated':
    case 'reattached':
    case 'left-out':
    case 'deactivated':
      return { type: event.type, skill: event.skill };
    default:
      return undefined;
  }
}

/** Creates listeners that write data parts. */
export function createNewsWriter(writer: { write(part: SkillDataPart): void }): {
  onEvent: OnSkillEvent;
  onProgress: (progress: ScriptProgress) => void;
} {
  return {
    onEvent(event) {
      const data = newsOf(event);
      if (data !== undefined) writer.write({ type: 'data-skill', data, transient: true });
    },
    onProgress: (data) => writer.write({ type: 'data-skill-progress', data, transient: true }),
  };
}
