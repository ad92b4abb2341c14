// Lists active skills, lets the application decide about them, and carries their state in messages.

import type { ActiveSkill, SkillDecision, SkillState, SkillToolkit } from '@skillful/core';
import type { ModelMessage } from 'ai';
import { assertUsable, type OptionsParameter } from './options.ts';

/** Lists the active skills of a conversation, the latest activation last. */
export async function activeSkills<Request>(
  toolkit: SkillToolkit<Request>,
  messages: readonly ModelMessage[],
  ...[options = {}]: OptionsParameter<Request>
): Promise<readonly ActiveSkill[]> {
  assertUsable(toolkit, options);
  return toolkit.active(toolkit.viewMessages(messages, toolkit.createPromptForm()), options);
}

/**
 * Activates and ends skills in a conversation with these messages. You must store the returned state. The decision counts from
 * the next model call on, and nothing that a client sends can change it.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if the decision or an option is not valid
 */
export async function decide<Request>(
  toolkit: SkillToolkit<Request>,
  decision: SkillDecision,
  messages: readonly ModelMessage[],
  ...[options = {}]: OptionsParameter<Request>
): Promise<SkillState> {
  assertUsable(toolkit, options);
  return toolkit.decide(decision, toolkit.viewMessages(messages, toolkit.createPromptForm()), options);
}

/**
 * Returns a message that carries state, for a store that keeps only messages. It is never sent to a provider, and no UI message
 * can become such a message. Never put it after the answer to an approval, which must stay the last message.
 */
export function stateMessage(state: SkillState): ModelMessage {
  return { role: 'tool', content: [], providerOptions: { skillful: { state: JSON.stringify(state) } } };
}

/**
 * Reads the state from the last message that carries one. Call it with messages from your store, never from a client, and before
 * `pruneMessages`.
 */
export function stateIn(messages: readonly ModelMessage[]): SkillState | undefined {
  const states = messages.map(
    ({ role, providerOptions }) => role === 'tool' && providerOptions?.['skillful']?.['state'],
  );
  const last = states.findLast((state) => typeof state === 'string');
  return typeof last === 'string' ? JSON.parse(last) : undefined;
}
