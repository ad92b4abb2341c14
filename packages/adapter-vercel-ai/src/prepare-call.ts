// Adds skills to one model call, for steps of a run, for models with the middleware, and for your own loop.

import type { Preparation, PromptMessage, SkillContext, SkillToolkit } from '@skillful/core';
import type { ToolLoopAgentSettings } from 'ai';
import { editMessages, viewMessages } from './conversation.ts';

/** The text before the messages, in every form that the AI SDK accepts. */
export type Instructions = NonNullable<ToolLoopAgentSettings['instructions']>;

/** The parts of a model call that skills may change. */
export interface UnpreparedCall<Message> {
  /** The messages as the model is about to read them: redacted, trimmed and summarised. */
  readonly messages: readonly Message[];
  /** All messages, if the model reads only some of them. */
  readonly conversation?: readonly Message[] | undefined;
  readonly instructions?: Instructions | undefined;
  /** The model, whose provider decides which files it can read. */
  readonly model?: string | object | undefined;
}

/** The model call with skills added, and the `state` to store next to the messages. */
export interface PreparedCall<Message> extends Pick<Preparation, 'state' | 'active'> {
  readonly messages: Message[];
  readonly instructions: Instructions;
}

/** Adds skills to one model call. If there are no instructions, the text for the system prompt becomes a message. */
export async function prepareCall<Message extends PromptMessage>(
  toolkit: SkillToolkit,
  { messages, conversation = messages, instructions, model }: UnpreparedCall<Message>,
  { offered = [], ...options }: SkillContext,
): Promise<PreparedCall<Message> & { readonly offered: string[]; readonly context: SkillContext }> {
  const whole = conversation === messages ? undefined : viewMessages(conversation, toolkit);
  const views = viewMessages(messages, toolkit, whole);
  const context = { ...options, messages: whole ?? views, offered };
  const { system, edits, hiddenTools, ...prepared } = await toolkit.prepare(views, context);
  const isMessage = instructions === undefined;
  return {
    ...prepared,
    context,
    messages: editMessages(messages, views, { edits, system: isMessage ? system : '' }, toolkit, model),
    instructions: isMessage ? [] : addInstructions(instructions, system),
    offered: offered.filter((name) => !hiddenTools.includes(name)),
  };
}

/** Adds the text of skills to instructions. */
function addInstructions(instructions: Instructions, system: string): Instructions {
  if (system === '') return instructions;
  if (typeof instructions === 'string') return [instructions, system].filter((text) => text !== '').join('\n\n');
  const before = [instructions].flat();
  return before.length === 0 ? system : [...before, { role: 'system', content: system }];
}
