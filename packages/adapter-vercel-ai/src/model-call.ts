// Adds skills to one model call of your own loop.

import type { SkillToolkit } from '@skillful/core';
import type { ModelMessage, ToolLoopAgentSettings, ToolSet } from 'ai';
import { addTools } from './add-tools.ts';
import { createCalls } from './calls.ts';
import { assertUsable, type SkillsOptions } from './options.ts';
import { type PreparedCall, prepareCall, type UnpreparedCall } from './prepare-call.ts';
import type { AnySettings, SkillsSettings } from './settings.ts';
import { createSkillTools, type SkillTools } from './tools.ts';

/** AI SDK 6 has only the first of these settings. */
type ToolSetting = keyof ToolLoopAgentSettings & ('activeTools' | 'repairToolCall' | 'toolApproval');

/** A model call before skills change it, with your tools and their settings, and with the stored `state`. */
export type ModelCall<Tools, Request = unknown> = UnpreparedCall<ModelMessage> &
  SkillsOptions<Request> & { readonly tools?: Tools | undefined } & Pick<
    SkillsSettings<Tools, never, object>,
    ToolSetting
  >;

/** Settings for one step with skills added, including hooks that approve and correct its calls, and the `state` to store. */
export interface PreparedModelCall<Tools> extends PreparedCall<ModelMessage> {
  readonly tools: Tools & SkillTools;
  readonly activeTools: (keyof (Tools & SkillTools) & string)[];
}

/**
 * Adds skills to one model call of your own loop, for `generateText` or `streamText` with one step.
 *
 * @throws {SkillError} `options-invalid` if a tool of the application has the name of a skill tool; `framework-too-old`
 */
export async function prepareModelCall<Tools extends ToolSet = Record<never, never>, Request = unknown>(
  toolkit: SkillToolkit<Request>,
  { messages, conversation, instructions = [], model, ...given }: ModelCall<Tools, NoInfer<Request>>,
): Promise<PreparedModelCall<Tools>> {
  const { tools, activeTools, toolApproval, repairToolCall, ...options } = given;
  assertUsable(toolkit, options);
  const own = Object.keys(tools ?? {});
  toolkit.assertNamesFree(own);
  const offered = activeTools ?? [...own, ...toolkit.tools.map(({ name }) => name)];
  const call = { messages, conversation, instructions, model };
  const { context, offered: left, ...prepared } = await prepareCall(toolkit, call, { ...options, offered, run: {} });
  const calls = createCalls(toolkit, options, context);
  const settings = { tools, toolApproval, repairToolCall } as object as AnySettings;
  return {
    ...prepared,
    ...addTools(settings, createSkillTools(toolkit, options, calls), toolkit, calls),
    activeTools: left,
    // AI SDK 6 has another name for `instructions`, which 7 prefers.
    system: prepared.instructions,
  } as object as PreparedModelCall<Tools>;
}
