// Agent Skills for the Vercel AI SDK.

export { activateSkills, deactivateSkills } from './decide.ts';
export { skillsMiddleware } from './middleware.ts';
export { pruneBesideSkills } from './prune.ts';
export { type SkillToolsOptions, skillTools } from './tools.ts';
export { type SkillsSettings, withSkills } from './with-skills.ts';
