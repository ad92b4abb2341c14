// Lets the application decide about skills in a conversation that a memory keeps, and ask which are active.

import type { ActiveSkill, SkillDecision, SkillToolkit } from '@skillful/core';
import { loadMessages, type SkillThread, storeOf } from './thread.ts';

/** Lists the skills that are active in the conversation of a thread, the latest activation last. */
export async function activeSkills(toolkit: SkillToolkit, thread: SkillThread): Promise<readonly ActiveSkill[]> {
  const [messages, state] = await Promise.all([loadMessages(thread, toolkit), toolkit.keepState(storeOf(thread))]);
  return toolkit.active(messages, { ...contextOf(thread), state });
}

/**
 * Activates and ends skills in the conversation of a thread, from the next model call on.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error if the memory has no such thread or fails
 */
export async function decide(toolkit: SkillToolkit, decision: SkillDecision, thread: SkillThread): Promise<void> {
  const messages = await loadMessages(thread, toolkit);
  const kept = await toolkit.keepState(storeOf(thread), (state) =>
    toolkit.decide(decision, messages, { ...contextOf(thread), state }),
  );
  if (kept === undefined) throw new Error(`The memory has no thread \`${thread.threadId}\`: create it first.`);
}

function contextOf({ threadId, requestContext, about }: SkillThread) {
  return { request: requestContext, about: { thread: threadId, ...about } };
}
