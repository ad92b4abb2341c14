// Agent Skills for Mastra agents.

export { activateSkills, deactivateSkills } from './decide.ts';
export { filterBesideSkills } from './filter.ts';
export { skillsProcessor } from './processor.ts';
export type { AgentMemory, SkillMemory, SkillThread } from './thread.ts';
export { type SkillToolOutput, skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
