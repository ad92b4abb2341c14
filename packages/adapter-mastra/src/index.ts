// Agent Skills for Mastra agents.

export { type SkillsProcessorOptions, skillsProcessor } from './processor.ts';
export type { AgentMemory } from './thread.ts';
export { type SkillToolOutput, skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
