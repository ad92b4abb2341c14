// Agent Skills for the Vercel AI SDK.

export { skillsMiddleware } from './middleware.ts';
export { type SkillToolsOptions, skillTools } from './tools.ts';
export { type SkillsSettings, withSkills } from './with-skills.ts';
