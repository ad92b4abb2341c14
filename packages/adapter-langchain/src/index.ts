// Agent Skills for LangChain's createAgent.

export {
  activateSkills,
  type DecisionConfig,
  deactivateSkills,
  type SkillsUpdate,
  type StatefulAgent,
} from './decide.ts';
export { skillsMiddleware } from './middleware.ts';
export { skillToolNames, skillTools } from './tools.ts';
