// The hook before each model call of a run: the application's own comes first, and skills see what it decided.

import type { MessageView, SkillToolkit } from '@skillful/core';
import type { PrepareStepFunction, ToolSet } from 'ai';
import type { Calls } from './calls.ts';
import { editMessages, viewMessages } from './conversation.ts';
import type { SkillsOptions } from './options.ts';
import type { AnySettings } from './settings.ts';
import { isSeven } from './version.ts';

type Step = Parameters<PrepareStepFunction<ToolSet>>[0];
type Instructions = Step['instructions'];

/** What the AI SDK 7 passes from step to step, as it was without the skills. */
interface LastStep {
  readonly instructions: Instructions;
  readonly messages: Step['messages'];
  /** How many messages the model was given: what follows them is new. */
  readonly length: number;
}

/** Creates `prepareStep` for settings whose tools include the skill tools. */
export function prepareSteps(
  { id, tools, activeTools, abortSignal, prepareStep }: AnySettings,
  toolkit: SkillToolkit,
  options: SkillsOptions,
  { answers }: Calls,
): PrepareStepFunction<ToolSet> {
  const lastSteps = new WeakMap<object, LastStep>();
  const about = { agent: id, ...options.about };
  return async (step) => {
    const { steps } = step;
    const last = isSeven ? lastSteps.get(steps) : undefined;
    const before = last?.instructions ?? step.initialInstructions;
    const given = [...(last?.messages ?? []), ...step.messages.slice(last?.length ?? 0)];
    const own = await prepareStep?.({ ...step, messages: given, instructions: before });
    const whole = isSeven ? [...step.initialMessages, ...step.responseMessages] : step.messages;
    const messages = own?.messages ?? given;
    const active = own?.activeTools ?? activeTools;
    const offered = active ?? Object.keys(tools ?? {});
    const signal = options.signal ?? abortSignal;
    const context = { ...options, signal, run: steps, messages: viewMessages(whole, toolkit), about, offered };
    const views: readonly MessageView[] = viewMessages(messages, toolkit, context.messages);
    const { system, hiddenTools, edits } = await toolkit.prepare(views, context);
    const changes = { edits, system: isSeven ? '' : system };
    const edited = editMessages(messages, views, changes, toolkit, own?.model ?? step.model);
    const instructions = own?.instructions ?? own?.system ?? before;
    lastSteps.set(steps, { instructions, messages, length: edited.length });
    // Tools receive the first array in 7, and the second in 6.
    const answer = { context, calls: new Map() };
    answers.set(edited, answer).set(step.messages, answer);
    return {
      ...own,
      messages: edited,
      ...(isSeven && { instructions: addInstructions(instructions, system) }),
      ...((active ?? hiddenTools[0]) && { activeTools: offered.filter((name) => !hiddenTools.includes(name)) }),
    };
  };
}

/** Adds the text of skills. An empty list removes the instructions of the previous step. */
function addInstructions(instructions: Instructions, system: string): NonNullable<Instructions> {
  if (system === '') return instructions ?? [];
  if (typeof instructions === 'string') return [instructions, system].filter((text) => text !== '').join('\n\n');
  const before = instructions === undefined ? [] : [instructions].flat();
  return before.length === 0 ? system : [...before, { role: 'system', content: system }];
}
