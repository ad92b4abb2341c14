// Adds skills to the settings of an agent or a call in one step.

import type { SkillToolkit } from '@skillful/core';
import type { ToolSet } from 'ai';
import { addTools } from './add-tools.ts';
import { createCalls } from './calls.ts';
import { assertUsable, type OptionsParameter, optionNames, type SkillsOptions } from './options.ts';
import { prepareSteps } from './prepare-step.ts';
import type { AnySettings, DeclaredSettings, OnlySettings, SettingsWithSkills, SkillsSettings } from './settings.ts';
import { createSkillTools } from './tools.ts';

/**
 * Returns settings for `generateText`, `streamText` or `ToolLoopAgent` with skills added.
 *
 * Pass all settings about tools (`tools`, `activeTools`, `toolApproval`, `prepareStep`, `prepareCall`, `repairToolCall`); the
 * others are optional. An activation needs further steps, so set `stopWhen`: by default, `generateText` and `streamText` stop
 * after one step.
 *
 * @throws {SkillError} `options-invalid` if a tool of the application has the name of a skill tool, or the settings already have
 * skills. If `prepareCall` adds such a tool, the call throws it; `framework-too-old`
 */
export function withSkills<
  Settings extends object,
  Tools extends ToolSet = Record<never, never>,
  CallOptions = never,
  Context extends Record<string, unknown> = Record<string, unknown>,
  Request = unknown,
>(
  settings: Settings &
    ((SkillsSettings<Tools, CallOptions, Context> & OnlySettings<Settings>) | DeclaredSettings<Settings>),
  toolkit: SkillToolkit<Request>,
  ...[options = {}]: OptionsParameter<Request>
): SettingsWithSkills<Settings> {
  if (!toolkit?.assertNamesFree) throw new TypeError('Pass your settings, and then the toolkit of `createToolkit`.');
  const misplaced = optionNames.find((name) => name in settings);
  if (misplaced !== undefined)
    throw new TypeError(`Pass \`${misplaced}\` in the third argument instead of the settings.`);
  assertUsable(toolkit, options);
  return addSkills(settings as object, toolkit, options) as object as SettingsWithSkills<Settings>;
}

function addSkills(settings: AnySettings, toolkit: SkillToolkit, given: SkillsOptions): AnySettings {
  const options = { ...given, about: { agent: settings.id, ...given.about } };
  const calls = createCalls(toolkit, options);
  const skillTools: ToolSet = createSkillTools(toolkit, options, calls);
  const add = (call: AnySettings): AnySettings => {
    // What `prepareCall` returns also has these skill tools, perhaps as copies.
    const { tools = {} } = call;
    const isOurs = (name: string): boolean => tools[name]?.inputSchema === skillTools[name]?.inputSchema;
    const own = Object.keys(tools).filter((name) => !(Object.hasOwn(skillTools, name) && isOurs(name)));
    const hasSkills = own.some((name) => Object(tools[name]?.inputSchema)['~standard']?.vendor === 'skillful');
    toolkit.assertNamesFree(own, hasSkills);
    const all = { ...call, ...addTools(call, skillTools, toolkit, calls) };
    return { ...all, prepareStep: prepareSteps(all, toolkit, options, calls) };
  };
  const { prepareCall, prepareStep, toolApproval, repairToolCall, experimental_repairToolCall } = settings;
  if (prepareCall === undefined) return add(settings);
  // The application's `prepareCall` receives its original settings, and its result counts.
  const tools = { ...settings.tools, ...skillTools };
  const own = { tools, prepareStep, toolApproval, repairToolCall, experimental_repairToolCall };
  return { ...add(settings), prepareCall: async (call) => add(await prepareCall({ ...call, ...own })) };
}
