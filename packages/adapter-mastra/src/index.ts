// Agent Skills for Mastra agents.

export type { SkillStore } from '@skillful/core';
export { activeSkills, decide } from './decide.ts';
export { type EmbeddingModel, embedWith } from './embed.ts';
export { skillsProcessor } from './processor.ts';
export type { SkillsOptions } from './run.ts';
export type { AgentMemory, SkillThread } from './thread.ts';
export { type SkillToolOutput, skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
export { type AgentWorkspace, scriptSandbox, workspaceSkills } from './workspace.ts';
