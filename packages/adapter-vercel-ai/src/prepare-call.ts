// Adds skills to one model call, for steps of a run, for models with the middleware, and for your own loop.

import type { Preparation, PromptMessage, SkillContext, SkillToolkit } from '@skillful/core';
import type { SystemModelMessage, ToolLoopAgentSettings } from 'ai';
import { promptVersion } from './options.ts';

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

/** The model call of a step. */
interface StepCall<Message> extends UnpreparedCall<Message> {
  /** Checks whether the framework wrote a user message, whose words activate no skill. */
  readonly isNotice?: ((message: Message) => boolean) | undefined;
}

/** The model call with skills added, and the `state` to store next to the messages. */
export interface PreparedCall<Message> extends Pick<Preparation, 'state' | 'active'> {
  readonly messages: Message[];
  readonly instructions: Instructions;
}

/** Adds skills to one model call. If there are no instructions, the text for the system prompt becomes a message. */
export async function prepareCall<Message extends PromptMessage>(
  toolkit: SkillToolkit,
  { messages, conversation = messages, instructions, model, isNotice }: StepCall<Message>,
  { offered = [], ...options }: SkillContext,
): Promise<PreparedCall<Message> & { readonly offered: string[]; readonly context: SkillContext }> {
  const ofAll = toolkit.createPromptForm<Message>({ model: nameOf(model), version: promptVersion });
  const form = { ...ofAll, view: (message: Message) => (isNotice?.(message) ? [] : ofAll.view(message)) };
  const isWhole = conversation === messages;
  const whole = isWhole ? undefined : toolkit.viewMessages(toolkit.withoutEdits(conversation), form);
  const own = instructions === undefined ? form : { ...form, addSystem: undefined };
  const { system, hiddenTools, ...prepared } = await toolkit.prepareMessages(messages, own, {
    ...options,
    messages: whole,
    offered,
  });
  return {
    ...prepared,
    // A message that only carries state is for the store. The first versions of AI SDK 6 would send it to the model.
    messages: prepared.messages.filter(({ role, content }) => role !== 'tool' || Object(content).length > 0),
    instructions: instructions === undefined ? [] : addInstructions(instructions, system, toolkit),
    offered: offered.filter((name) => !hiddenTools.includes(name)),
  };
}

/** Returns the name of the model's package or, with a gateway, of its vendor. */
function nameOf(model: unknown): string {
  const { provider, modelId } = Object(model);
  return String(typeof model === 'string' || provider === 'gateway' ? (modelId ?? model) : provider);
}

/** Adds the text of skills to instructions. */
function addInstructions(instructions: Instructions, system: string, toolkit: SkillToolkit): Instructions {
  if (system === '') return instructions;
  if (typeof instructions === 'string') return [instructions, system].filter((text) => text !== '').join('\n\n');
  const before = [instructions].flat();
  const { addSystem } = toolkit.createPromptForm<SystemModelMessage>();
  return before.length === 0 ? system : [...before.slice(0, -1), ...(addSystem?.(system, before.at(-1)) ?? [])];
}
