// Agent Skills for the Vercel AI SDK.

export { decide } from './decide.ts';
export { skillsMiddleware } from './middleware.ts';
export type { SkillToolsOptions } from './options.ts';
export { pruneExceptSkills } from './prune.ts';
export { skillTools } from './tools.ts';
export { type SkillsSettings, withSkills } from './with-skills.ts';
