// Lets the application activate and deactivate skills in a conversation that a memory keeps.

import type { SkillDecision, SkillToolkit } from '@skillful/core';
import { recordDecisions } from './record.ts';
import { type SkillThread, updateRecord } from './thread.ts';

/**
 * Activates and deactivates skills in the conversation of a thread, from the next model call on.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error if the memory has no such thread or fails
 */
export async function decide(toolkit: SkillToolkit, decision: SkillDecision, thread: SkillThread): Promise<void> {
  const items = await toolkit.decide(decision, { request: thread.requestContext });
  const changed = await updateRecord(thread, (known) => recordDecisions(known, items));
  if (changed === undefined) throw new Error(`The memory has no thread \`${thread.threadId}\`: create it first.`);
}
