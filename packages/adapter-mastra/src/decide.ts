// Lets the application activate and end skills in a conversation that a memory keeps.

import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { recordDecisions } from './record.ts';
import { type SkillThread, updateRecord } from './thread.ts';

/**
 * Activates skills in the conversation of a thread: their text is attached from the next model call on.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error where the memory has no such thread or fails
 */
export async function activateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  thread: SkillThread,
): Promise<void> {
  await record(await toolkit.activateSkills(names, { request: thread.requestContext }), thread);
}

/**
 * Ends skills in the conversation of a thread: their instructions leave the context at the next model call, until they are
 * activated again.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; an error where the memory has no such thread or fails
 */
export async function deactivateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  thread: SkillThread,
): Promise<void> {
  await record(await toolkit.deactivateSkills(names, { request: thread.requestContext }), thread);
}

async function record(items: readonly ConversationItem[], thread: SkillThread): Promise<void> {
  const changed = await updateRecord(thread, (known) => recordDecisions(known, items));
  if (changed === undefined) throw new Error(`The memory has no thread \`${thread.threadId}\`: create it first.`);
}
