// Lets the application decide about skills in a conversation of a memory, and list the active ones.

import type { ActiveSkill, SkillContext, SkillDecision, SkillToolkit } from '@skillful/core';
import { contextOf, createRun } from './run.ts';
import { type AgentToolkit, loadMessages, type SkillThread, storeOf } from './thread.ts';

/** Lists the active skills in the conversation of a thread, the latest activation last. */
export async function activeSkills(toolkit: AgentToolkit, thread: SkillThread): Promise<readonly ActiveSkill[]> {
  const context = createThreadContext(toolkit, thread);
  return toolkit.active(await loadMessages(thread, toolkit), context);
}

/**
 * Activates and ends skills in the conversation of a thread, from the next model call on.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if the decision or a key of the thread is not valid,
 * or the memory has no such thread; also an error if the memory fails
 */
export async function decide(toolkit: AgentToolkit, decision: SkillDecision, thread: SkillThread): Promise<void> {
  const context = createThreadContext(toolkit, thread);
  // Without a thread, a run has no store, and the decision would be lost.
  await toolkit.decide(decision, await loadMessages(thread, toolkit), { ...context, store: storeOf(thread) });
}

/** Checks the keys of a thread, because with a misspelt `resourceId` nothing checks whose it is, and creates its context. */
function createThreadContext(toolkit: SkillToolkit, thread: SkillThread): SkillContext {
  toolkit.assertOptions(thread, ['threadId', 'resourceId', 'memory', 'store', 'requestContext']);
  return contextOf(createRun(thread, thread), thread);
}
