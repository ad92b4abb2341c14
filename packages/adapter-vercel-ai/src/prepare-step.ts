// Creates the hook before each model call of a run. The application's own hook runs first, and skills use its result.

import type { SkillToolkit } from '@skillful/core';
import type { PrepareStepFunction, ToolSet } from 'ai';
import type { Calls } from './calls.ts';
import type { SkillsOptions } from './options.ts';
import { type Instructions, prepareCall } from './prepare-call.ts';
import type { AnySettings } from './settings.ts';

type Step = Parameters<PrepareStepFunction<ToolSet>>[0];
type Message = Step['messages'][number];

/** What AI SDK 7 passes from step to step, as it was without the changes by skills. */
interface LastStep {
  readonly instructions: Instructions | undefined;
  readonly messages: Step['messages'];
  /** All messages of the run, including those that the application removed. */
  readonly conversation: Step['messages'];
  /** The number of messages that the model received, with those that skills added; later ones are new. */
  readonly lengthWithSkills: number;
  /** Texts of user messages that the AI SDK itself wrote, about tools that can call others. They activate no skill. */
  readonly notices: ReadonlySet<string>;
}

/** Creates `prepareStep` for settings whose tools include the skill tools. */
export function prepareSteps(
  { tools = {}, activeTools, abortSignal, prepareStep }: AnySettings,
  toolkit: SkillToolkit,
  options: SkillsOptions,
  calls: Calls,
): PrepareStepFunction<ToolSet> {
  /** By the array of steps, which the SDK extends during a run. */
  const lastSteps = new WeakMap<object, LastStep>();
  const names = Object.keys(tools);
  return async (step) => {
    const { steps } = step;
    // Not the installed version: in npm workspaces, it may be that of another package.
    const isSeven = Object.hasOwn(step, 'initialInstructions');
    const last = isSeven ? lastSteps.get(steps) : undefined;
    const before = last?.instructions ?? step.initialInstructions;
    // If a tool passes the conversation on to another agent, it contains the changes by skills.
    const fresh = toolkit.withoutEdits(step.messages.slice(last?.lengthWithSkills ?? 0));
    const given = [...(last?.messages ?? []), ...fresh];
    // The same array, unless the application removed messages.
    const hasAll = last?.conversation === last?.messages;
    const conversation = hasAll ? given : [...(last?.conversation ?? []), ...fresh];
    const steered = steeredIn([...steps, step]);
    const notices = noticesIn(last, fresh, steered);
    const own = await prepareStep?.({ ...step, messages: given, instructions: before });
    const messages = own?.messages ?? given;
    const instructions = own?.instructions ?? own?.system ?? before;
    const available = own?.activeTools ?? activeTools ?? names;
    const call = {
      messages,
      conversation,
      // The application's own text may be in the messages. In version 6, it is not known here.
      instructions: isSeven ? (instructions ?? (messages[0]?.role === 'system' ? undefined : [])) : undefined,
      model: own?.model ?? step.model,
      isNotice: (message: Message) => message.role === 'user' && notices.has(textOf(message)),
    };
    const signal = options.signal ?? abortSignal;
    const known = { ...options, signal, run: steps, offered: available };
    const { context, offered, ...prepared } = await prepareCall(toolkit, call, known);
    const edited = renewMessages(prepared.messages, steered, toolkit);
    lastSteps.set(steps, { instructions, messages, conversation, lengthWithSkills: edited.length, notices });
    // In version 6, tools receive the array of the step. In 7, they receive these messages, perhaps with further ones from the
    // SDK.
    calls.begin(context, isSeven ? edited : [step.messages]);
    return {
      ...own,
      messages: edited,
      ...(isSeven && { instructions: prepared.instructions }),
      ...(offered.length < available.length && { activeTools: offered }),
    };
  };
}

/**
 * Returns messages as new objects in each step. A message that steers the run counts as delivered only if it is sent unchanged,
 * so text from skills is added as the next message.
 */
function renewMessages(
  messages: Step['messages'],
  steered: ReadonlySet<string>,
  toolkit: SkillToolkit,
): Step['messages'] {
  return messages.flatMap((message) => {
    const [own] = toolkit.withoutEdits([message]);
    if (own === message) return [{ ...message }];
    if (own === undefined || message.role !== 'user' || !steered.has(textOf(own))) return [message];
    return [{ ...own }, { ...message, content: textOf(message).slice(textOf(own).length).trimStart() }];
  });
}

/** Returns the texts with which users steered the run. */
function steeredIn(steps: readonly Pick<Step, 'experimental_steeringMessages'>[]): ReadonlySet<string> {
  const steering = steps.flatMap(({ experimental_steeringMessages = [] }) => experimental_steeringMessages);
  return new Set(steering.map(textOf));
}

function noticesIn(last: LastStep | undefined, fresh: readonly Message[], steered: ReadonlySet<string>): Set<string> {
  if (last === undefined) return new Set();
  const texts = fresh.filter(({ role }) => role === 'user').map(textOf);
  return new Set([...last.notices, ...texts.filter((text) => !steered.has(text))]);
}

/** Returns the words of a message. Messages are compared by them, because JSON of a file in it would take seconds. */
function textOf({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
