// The hook before each model call of a run: the application's own comes first, and skills see what it decided.

import type { SkillToolkit } from '@skillful/core';
import type { PrepareStepFunction, ToolSet } from 'ai';
import type { Calls } from './calls.ts';
import type { SkillsOptions } from './options.ts';
import { type Instructions, prepareCall } from './prepare-call.ts';
import type { AnySettings } from './settings.ts';
import { isSeven } from './version.ts';

type Step = Parameters<PrepareStepFunction<ToolSet>>[0];

/** What the AI SDK 7 passes from step to step, as it was without the skills. */
interface LastStep {
  readonly instructions: Instructions | undefined;
  readonly messages: Step['messages'];
  /** How many messages the model was given: what follows them is new. */
  readonly length: number;
}

/** Creates `prepareStep` for settings whose tools include the skill tools. */
export function prepareSteps(
  { id, tools = {}, activeTools, abortSignal, prepareStep }: AnySettings,
  toolkit: SkillToolkit,
  options: SkillsOptions,
  calls: Calls,
): PrepareStepFunction<ToolSet> {
  const lastSteps = new WeakMap<object, LastStep>();
  const about = { agent: id, ...options.about };
  const names = Object.keys(tools);
  return async (step) => {
    const { steps } = step;
    const last = isSeven ? lastSteps.get(steps) : undefined;
    const before = last?.instructions ?? step.initialInstructions;
    const given = [...(last?.messages ?? []), ...step.messages.slice(last?.length ?? 0)];
    const own = await prepareStep?.({ ...step, messages: given, instructions: before });
    const messages = own?.messages ?? given;
    const instructions = own?.instructions ?? own?.system ?? before;
    const active = own?.activeTools ?? activeTools;
    const call = {
      messages,
      conversation: isSeven ? [...step.initialMessages, ...step.responseMessages] : step.messages,
      instructions: isSeven ? (instructions ?? []) : undefined,
      model: own?.model ?? step.model,
    };
    const signal = options.signal ?? abortSignal;
    const known = { ...options, signal, about, run: steps, offered: active ?? names };
    const { context, offered, ...prepared } = await prepareCall(toolkit, call, known);
    lastSteps.set(steps, { instructions, messages, length: prepared.messages.length });
    // Tools receive the first array in 7, and the second in 6.
    calls.begin(context, prepared.messages, step.messages);
    return {
      ...own,
      messages: prepared.messages,
      ...(isSeven && { instructions: prepared.instructions }),
      ...((active ?? offered.length < names.length) && { activeTools: offered }),
    };
  };
}
