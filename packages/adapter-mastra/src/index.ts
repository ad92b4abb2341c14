// Agent Skills for Mastra agents.

export { activeSkills, decide } from './decide.ts';
export { type EmbeddingModel, embedWith } from './embed.ts';
export { skillsProcessor } from './processor.ts';
export type { SkillsOptions } from './run.ts';
export { scriptSandbox } from './sandbox.ts';
export type { AgentMemory, SkillStore, SkillThread } from './thread.ts';
export { type SkillToolOutput, skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
