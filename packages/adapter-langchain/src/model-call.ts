// Adds skills to one model call, for the middleware and for your own graph.

import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { Preparation, SkillState, SkillToolkit } from '@skillful/core';
import { findRun, keepContext, reportsOf } from './calls.ts';
import { createContext, type NodeConfig, optionNames, type SkillsOptions } from './context.ts';
import { correctCalls } from './correct.ts';
import { createForm, viewMessages } from './messages.ts';

/** A model call before skills change it. */
export interface ModelCall<Tool extends object> extends SkillsOptions {
  /** The messages as the model is about to read them: redacted, trimmed and summarised. */
  readonly messages: readonly BaseMessage[];
  /** All messages, if the model reads only some of them. */
  readonly conversation?: readonly BaseMessage[] | undefined;
  /** The `state` that the previous call returned. */
  readonly state?: SkillState | undefined;
  readonly systemMessage?: SystemMessage | undefined;
  /** All tools of the call, including those of `skillTools`. */
  readonly tools: readonly Tool[];
  readonly config?: NodeConfig | undefined;
  /** The model, whose profile tells which files it accepts. */
  readonly model?: object | undefined;
  /** The same object for each attempt of a call, for example after an error, so that each event is reported once. */
  readonly run?: object | undefined;
}

/** A model call with skills added. Keep `state` in the graph, in a field whose reducer is the toolkit's `merge`. */
export interface PreparedModelCall<Tool extends object> extends Pick<Preparation, 'state' | 'active'> {
  readonly systemMessage: SystemMessage;
  readonly messages: BaseMessage[];
  readonly tools: Tool[];
  /**
   * Call this with the answer of the model. Corrects calls that use the name of a skill as a tool, and calls of skill tools whose
   * input is not JSON. Lets the tools that are called use the same catalog, and reports to the toolkit's `onEvent` which skills
   * began. If the model call failed, do not call this, because the next call begins the same skills.
   */
  readonly accept: <Answer>(answer: Answer) => Promise<Answer>;
}

/** Adds skills to a model call. Call it last before the model. */
export async function prepareModelCall<Tool extends object>(
  toolkit: SkillToolkit,
  { messages, conversation = messages, systemMessage = new SystemMessage(''), tools, ...others }: ModelCall<Tool>,
): Promise<PreparedModelCall<Tool>> {
  const { state: before, config = {}, model, run: attempt, ...options } = others;
  toolkit.assertOptions(options, optionNames, 'call');
  const about = createContext(config, options);
  const run = findRun(conversation, about, attempt);
  const untold = reportsOf(run);
  const whole = conversation === messages ? undefined : viewMessages(conversation, toolkit);
  const form = createForm(toolkit, model);
  const known = { ...about, run, untold, messages: whole, state: before, offered: tools.map(nameOf) };
  const { system, hiddenTools, context, ...rest } = await toolkit.prepareMessages(messages, form, known);
  // A history may begin with the system message. Some providers refuse a second one.
  const [first] = rest.messages;
  const isFirst = systemMessage.text === '' && first !== undefined && SystemMessage.isInstance(first);
  const own = isFirst ? first : systemMessage;
  return {
    ...rest,
    messages: isFirst ? rest.messages.slice(1) : rest.messages,
    systemMessage: system === '' ? own : own.concat(own.text === '' ? system : `\n\n${system}`),
    tools: tools.filter((tool) => !hiddenTools.includes(nameOf(tool))),
    async accept(answer) {
      for (const tell of untold.splice(0)) tell();
      if (!AIMessage.isInstance(answer)) return answer;
      const accepted = await correctCalls(answer, toolkit, context);
      keepContext(accepted, context);
      return accepted as typeof answer;
    },
  };
}

/** Returns the name of a tool, also in the form of OpenAI, or an empty string for a provider's tool without a name. */
export function nameOf(tool: object): string {
  const { name, function: inner } = Object(tool);
  return String(name ?? inner?.name ?? '');
}
