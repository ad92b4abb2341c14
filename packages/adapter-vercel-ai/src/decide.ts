// Lets the application activate and end skills in a conversation whose messages it keeps.

import type { ConversationItem, SkillToolkit } from '@skillful/core';
import type { ModelMessage } from 'ai';
import { writeDecisions } from './channel.ts';
import type { SkillToolsOptions } from './options.ts';

/**
 * Gives messages to append to a conversation in which skills are to be active: their text is attached from the next model
 * call on. No provider is sent them. An answer to an approval has to stay the last message.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function activateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  { request }: SkillToolsOptions = {},
): Promise<ModelMessage[]> {
  return createMessages(await toolkit.activateSkills(names, { request }));
}

/**
 * Gives messages to append to a conversation in which skills are to end: their instructions leave the context at the next
 * model call, until they are activated again. No provider is sent them. An answer to an approval has to stay the last message.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function deactivateSkills(
  toolkit: SkillToolkit,
  names: readonly string[],
  { request }: SkillToolsOptions = {},
): Promise<ModelMessage[]> {
  return createMessages(await toolkit.deactivateSkills(names, { request }));
}

/** Of all messages without content, the AI SDK 7 drops those of the role `tool` by itself; the middleware drops them, too. */
function createMessages(items: readonly ConversationItem[]): ModelMessage[] {
  return items.length === 0 ? [] : [{ role: 'tool', content: [], providerOptions: writeDecisions(items) }];
}
