// Adds skills to an agent's configuration in one step.

import type { AgentConfig, ToolsInput } from '@mastra/core/agent';
import type { SkillToolkit } from '@skillful/core';
import { skillsProcessor } from './processor.ts';
import { skillTools } from './tools.ts';

/**
 * Returns the configuration of a Mastra `Agent` with the skill tools and the skills processor added, last in their lists.
 *
 * @throws {SkillError} `options-invalid` if a tool of the application has the name of a skill tool; when the tools are
 * requested, if they are a function
 */
export function withSkills<Id extends string>(config: AgentConfig<Id>, toolkit: SkillToolkit): AgentConfig<Id> {
  const { tools = {}, inputProcessors = [], memory } = config;
  const processor = skillsProcessor(toolkit, { memory });
  const addTools = (given: ToolsInput): ToolsInput => {
    toolkit.assertNamesFree(Object.keys(given));
    return { ...given, ...skillTools(toolkit, { memory }) };
  };
  return {
    ...config,
    tools: typeof tools === 'function' ? async (request) => addTools(await tools(request)) : addTools(tools),
    inputProcessors:
      typeof inputProcessors === 'function'
        ? async (request) => [...(await inputProcessors(request)), processor]
        : [...inputProcessors, processor],
  };
}
