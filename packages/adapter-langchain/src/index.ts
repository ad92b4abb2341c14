// Agent Skills for LangChain's createAgent.

export {
  type DecisionConfig,
  decide,
  type SkillsUpdate,
  type StatefulAgent,
} from './decide.ts';
export { skillsMiddleware } from './middleware.ts';
export { skillTools, toolNames } from './tools.ts';
