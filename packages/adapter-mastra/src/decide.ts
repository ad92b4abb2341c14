// Lets the application decide about skills in a conversation of a memory, and list the active ones.

import type { ActiveSkill, SkillDecision, SkillToolkit } from '@skillful/core';
import { contextOf, createRun } from './run.ts';
import { loadMessages, type SkillThread, storeOf } from './thread.ts';

/** Lists the active skills in the conversation of a thread, the latest activation last. */
export async function activeSkills(toolkit: SkillToolkit, thread: SkillThread): Promise<readonly ActiveSkill[]> {
  return toolkit.active(await loadMessages(thread, toolkit), contextOf(createRun(thread, thread), thread));
}

/**
 * Activates and ends skills in the conversation of a thread, from the next model call on.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if the decision is not valid, or the memory has no
 * such thread; also an error if the memory fails
 */
export async function decide(toolkit: SkillToolkit, decision: SkillDecision, thread: SkillThread): Promise<void> {
  const context = contextOf(createRun(thread, thread), thread);
  // Without a thread, a run has no store, and the decision would be lost.
  await toolkit.decide(decision, await loadMessages(thread, toolkit), { ...context, store: storeOf(thread) });
}
