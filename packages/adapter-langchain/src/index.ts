// Agent Skills for LangChain's createAgent.

export { skillsMiddleware } from './middleware.ts';
export { skillTools } from './tools.ts';
