// Lets the application activate and deactivate skills in a conversation whose messages it keeps.

import type { SkillDecision, SkillToolkit } from '@skillful/core';
import type { ModelMessage } from 'ai';
import { writeDecisions } from './channel.ts';
import type { SkillToolsOptions } from './options.ts';

/**
 * Returns messages to append to a conversation in which skills are activated or deactivated from the next model call on.
 *
 * No provider is sent them. An answer to an approval has to stay the last message.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function decide(
  toolkit: SkillToolkit,
  decision: SkillDecision,
  { request }: SkillToolsOptions = {},
): Promise<ModelMessage[]> {
  const items = await toolkit.decide(decision, { request });
  // Of all messages without content, the AI SDK 7 drops those of the role `tool` by itself; the middleware drops them, too.
  return items.length === 0 ? [] : [{ role: 'tool', content: [], providerOptions: writeDecisions(items) }];
}
