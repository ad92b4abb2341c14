// Lets the application decide about skills in a conversation that a memory keeps, and ask which are active.

import type { ActiveSkill, SkillDecision, SkillToolkit } from '@skillful/core';
import { contextOf, createRun } from './run.ts';
import { loadMessages, type SkillThread } from './thread.ts';

/** Lists the skills that are active in the conversation of a thread, the latest activation last. */
export async function activeSkills(toolkit: SkillToolkit, thread: SkillThread): Promise<readonly ActiveSkill[]> {
  return toolkit.active(await loadMessages(thread, toolkit), contextOf(createRun(thread, thread), thread));
}

/**
 * Activates and ends skills in the conversation of a thread, from the next model call on.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if the memory has no such thread; an error if it fails
 */
export async function decide(toolkit: SkillToolkit, decision: SkillDecision, thread: SkillThread): Promise<void> {
  await toolkit.decide(decision, await loadMessages(thread, toolkit), contextOf(createRun(thread, thread), thread));
}
