// Adds skills to the settings of an agent or a call in one step.

import type { SkillToolkit } from '@skillful/core';
import { type PrepareStepFunction, type ToolSet, wrapLanguageModel } from 'ai';
import { writeActive } from './channel.ts';
import { readItems } from './conversation.ts';
import { skillsMiddleware } from './middleware.ts';
import type { SkillToolsOptions } from './options.ts';
import { skillTools } from './tools.ts';

/** A model as an object; a model named by a string is created by its provider first. */
type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** The settings that skills touch; `generateText`, `streamText` and `ToolLoopAgent` take them and many more. */
export interface SkillsSettings {
  readonly model: Model;
  readonly tools?: ToolSet;
  readonly prepareStep?: PrepareStepFunction<ToolSet> | undefined;
}

/** What `withSkills` puts into the settings. */
export interface SkillsAdded {
  model: ReturnType<typeof wrapLanguageModel>;
  tools: ToolSet;
  prepareStep: PrepareStepFunction<ToolSet>;
}

/**
 * Returns settings for `generateText`, `streamText` or `ToolLoopAgent` with skills added.
 *
 * The application's own `prepareStep` may shorten messages: what is active is read from the messages before that.
 * `generateText` and `streamText` stop after one step by default; an activation needs more, so set `stopWhen`.
 *
 * @throws {SkillError} `options-invalid` if a tool of the application has the name of a skill tool
 */
export function withSkills<Settings extends SkillsSettings>(
  settings: Settings,
  toolkit: SkillToolkit,
  options: SkillToolsOptions = {},
): Omit<Settings, keyof SkillsAdded> & SkillsAdded {
  toolkit.assertNamesFree(Object.keys(settings.tools ?? {}));
  return {
    ...settings,
    model: wrapLanguageModel({ model: settings.model, middleware: skillsMiddleware(toolkit, options) }),
    tools: { ...settings.tools, ...skillTools(toolkit, options) },
    prepareStep: readActiveFirst(settings.prepareStep, toolkit, options),
  };
}

/** The AI SDK 6 has no such fields; there, `messages` are as they were at each step. */
type Step = Parameters<PrepareStepFunction<ToolSet>>[0];
type AnyStep = Pick<Step, 'messages'> & Partial<Pick<Step, 'initialMessages' | 'responseMessages'>>;

function readActiveFirst(
  own: PrepareStepFunction<ToolSet> | undefined,
  toolkit: SkillToolkit,
  options: SkillToolsOptions,
): PrepareStepFunction<ToolSet> {
  const { request } = options;
  return async (step) => {
    const { messages, initialMessages = messages, responseMessages = [] }: AnyStep = step;
    const items = readItems([...initialMessages, ...responseMessages], toolkit, options);
    const active = await toolkit.readActive({ request, conversation: { items } });
    const prepared = await own?.(step);
    return { ...prepared, providerOptions: { ...prepared?.providerOptions, ...writeActive(active) } };
  };
}
