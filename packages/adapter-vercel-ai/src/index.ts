// Agent Skills for the Vercel AI SDK.

export { activateSkills, deactivateSkills } from './decide.ts';
export { skillsMiddleware } from './middleware.ts';
export type { SkillToolsOptions } from './options.ts';
export { pruneBesideSkills } from './prune.ts';
export { skillTools } from './tools.ts';
export { type SkillsSettings, withSkills } from './with-skills.ts';
