// Agent Skills for Mastra agents.

export { decide } from './decide.ts';
export { filterExceptSkills } from './filter.ts';
export { skillsProcessor } from './processor.ts';
export type { AgentMemory, SkillMemory, SkillThread } from './thread.ts';
export { type SkillToolOutput, skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
