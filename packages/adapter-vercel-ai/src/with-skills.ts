// Adds skills to the settings of an agent or a call in one step.

import type { SkillToolkit } from '@skillful/core';
import type { ToolCallRepairFunction, ToolSet } from 'ai';
import { createToolApproval } from './approval.ts';
import { type Calls, createCalls } from './calls.ts';
import { guardTools } from './guard.ts';
import type { SkillsOptions } from './options.ts';
import { prepareSteps } from './prepare-step.ts';
import type { AnySettings, NoTools, SettingsWithSkills, SkillsSettings } from './settings.ts';
import { createSkillTools } from './tools.ts';

/**
 * Returns settings for `generateText`, `streamText` or `ToolLoopAgent` with the skills in them.
 *
 * Give it all settings about tools (`tools`, `activeTools`, `prepareStep`, `prepareCall`, `repairToolCall`); the others may
 * stay outside. `generateText` and `streamText` stop after one step unless `stopWhen` says otherwise: an activation needs more.
 *
 * @throws {SkillError} `options-invalid` if a tool of the application has the name of a skill tool; `framework-too-old`
 */
export function withSkills<
  Settings extends object,
  Tools extends ToolSet = NoTools,
  CallOptions = never,
  Context extends Record<string, unknown> = Record<string, unknown>,
>(
  settings: Settings & SkillsSettings<Tools, CallOptions, Context>,
  toolkit: SkillToolkit,
  options: SkillsOptions = {},
): SettingsWithSkills<Settings> {
  toolkit.assertNamesFree(Object.keys(settings.tools ?? {}));
  return addSkills(settings as object, toolkit, options) as object as SettingsWithSkills<Settings>;
}

function addSkills(settings: AnySettings, toolkit: SkillToolkit, options: SkillsOptions): AnySettings {
  const calls = createCalls(toolkit, options);
  const skillTools: ToolSet = createSkillTools(toolkit, options, calls);
  const add = (given: AnySettings): AnySettings => {
    const own = Object.entries(given.tools ?? {}).filter(([name]) => !(name in skillTools));
    const ownTools = Object.fromEntries(own);
    const tools = { ...(toolkit.judgesAll ? guardTools(ownTools, calls) : ownTools), ...skillTools };
    const toolApproval = createToolApproval({ ...given, tools: ownTools }, tools, calls);
    const all = { ...given, tools, toolApproval };
    const repairToolCall = repairNames(given, toolkit, options, calls);
    const prepareStep = prepareSteps(all, toolkit, options, calls);
    // 6 knows only the second name, and 7 prefers the first.
    return { ...all, prepareStep, repairToolCall, experimental_repairToolCall: repairToolCall };
  };
  const { prepareCall, prepareStep, toolApproval, repairToolCall, experimental_repairToolCall } = settings;
  if (prepareCall === undefined) return add(settings);
  // The application's `prepareCall` receives its own settings, and what it returns counts.
  const tools = { ...settings.tools, ...skillTools };
  const own = { tools, prepareStep, toolApproval, repairToolCall, experimental_repairToolCall };
  return { ...add(settings), prepareCall: async (call) => add(await prepareCall({ ...call, ...own })) };
}

/** Corrects a skill's name that is called as a tool, after the application's own repair. */
function repairNames(
  { experimental_repairToolCall, repairToolCall: own = experimental_repairToolCall }: AnySettings,
  toolkit: SkillToolkit,
  options: SkillsOptions,
  { answers }: Calls,
): ToolCallRepairFunction<ToolSet> {
  return async (call) => {
    const repaired = await own?.(call);
    const { toolCall, tools, messages } = call;
    if (repaired || toolCall.providerExecuted || toolCall.toolName in tools) return repaired ?? null;
    const { toolName: name, input } = toolCall;
    const corrected = await toolkit.correctCall({ name, input }, answers.get(messages)?.context ?? options);
    return corrected ? { ...toolCall, toolName: corrected.name, input: JSON.stringify(corrected.input) } : null;
  };
}
