// Adds skills to the settings of an agent or a call in one step.

import type { SkillToolkit } from '@skillful/core';
import { type ToolSet, wrapLanguageModel } from 'ai';
import { skillsMiddleware } from './middleware.ts';
import { type SkillToolsOptions, skillTools } from './tools.ts';

/** A model as an object; a model named by a string is created by its provider first. */
type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** The settings that skills touch; `generateText`, `streamText` and `ToolLoopAgent` take them and many more. */
export interface SkillsSettings {
  readonly model: Model;
  readonly tools?: ToolSet;
}

/**
 * Gives settings for `generateText`, `streamText` or `ToolLoopAgent` with the skills in them.
 *
 * `generateText` and `streamText` stop after one step unless `stopWhen` says otherwise: an activation needs more.
 *
 * @throws {SkillError} `options-invalid` where a tool of the application has the name of a skill tool
 */
export function withSkills<Settings extends SkillsSettings>(
  settings: Settings,
  toolkit: SkillToolkit,
  options: SkillToolsOptions = {},
): Omit<Settings, 'model' | 'tools'> & { model: ReturnType<typeof wrapLanguageModel>; tools: ToolSet } {
  toolkit.assertNamesFree(Object.keys(settings.tools ?? {}));
  return {
    ...settings,
    model: wrapLanguageModel({ model: settings.model, middleware: skillsMiddleware(toolkit, options) }),
    tools: { ...settings.tools, ...skillTools(toolkit, options) },
  };
}
