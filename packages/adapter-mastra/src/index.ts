// Agent Skills for Mastra agents.

export { skillsProcessor } from './processor.ts';
export { skillTools } from './tools.ts';
export { withSkills } from './with-skills.ts';
