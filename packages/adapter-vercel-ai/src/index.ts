// Agent Skills for the Vercel AI SDK.

export type { SkillDataParts } from '@skillful/core';
export { embedWith } from './embed.ts';
export { skillsMiddleware } from './middleware.ts';
export { type ModelCall, type PreparedModelCall, prepareModelCall } from './model-call.ts';
export type { SkillsOptions } from './options.ts';
export type { SettingsWithSkills, SkillsSettings } from './settings.ts';
export { activeSkills, decide, stateIn, stateMessage } from './state.ts';
export { type SkillToolOutput, type SkillTools, skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
