// Agent Skills for LangChain: middleware for createAgent, and tools and model calls for your own graph.

export { unlessApproved } from './approve.ts';
export type { NodeConfig, SkillsOptions } from './context.ts';
export { activeSkills, type Conversation, decide, type StatefulAgent } from './decide.ts';
export { embedWith } from './embed.ts';
export { type SkillsMiddleware, skillsMiddleware } from './middleware.ts';
export { type ModelCall, type PreparedModelCall, prepareModelCall } from './model-call.ts';
export type { SkillsUpdate } from './state.ts';
export { skillTools } from './tools.ts';
