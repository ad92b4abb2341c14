// Adds skills to an agent's configuration in one step.

import type { AgentConfig, ToolsInput } from '@mastra/core/agent';
import { skillsProcessor } from './processor.ts';
import { createRefusal } from './refuse.ts';
import type { SkillsOptions } from './run.ts';
import type { AgentToolkit } from './thread.ts';
import { skillTools } from './tools.ts';
import { sharedWorkspace } from './workspace.ts';

/**
 * Returns the configuration of a Mastra `Agent` with the skill tools and the skills processor added at the end.
 *
 * @throws {SkillError} `options-invalid` if a tool of the application has the name of a skill tool, or the agent already has
 * skills. If `tools` is a function, it is thrown when the tools are requested
 */
export function withSkills<
  const Id extends string,
  Tools extends ToolsInput = ToolsInput,
  Output = undefined,
  Request = unknown,
>(
  config: AgentConfig<Id, Tools, Output, Request>,
  toolkit: AgentToolkit,
  options: SkillsOptions = {},
): AgentConfig<Id, Tools, Output, Request> {
  if (!toolkit?.assertNamesFree)
    throw new TypeError('Pass your configuration, and then the toolkit of `createToolkit`.');
  const { id, tools = {}, inputProcessors = [], hooks, defaultOptions = {} } = config;
  if (config.skills !== undefined) {
    throw new Error(
      'The agent has `skills` of its own, which would be a second catalog. Load them with `fileSource` or `memorySource` instead.',
    );
  }
  const found = { memory: config.memory, workspace: config.workspace ?? sharedWorkspace, agent: id };
  const known = { ...found, ...options, outputs: options.outputs ?? 'redacted' } as SkillsOptions;
  const processor = skillsProcessor(toolkit, known);
  const refusal = toolkit.judgesAll ? createRefusal(toolkit, known) : undefined;
  const hasSkills = Array.isArray(inputProcessors) && inputProcessors.some(({ id }) => id === processor.id);
  const addTools = (given: ToolsInput): Tools => {
    toolkit.assertNamesFree(Object.keys(given), hasSkills);
    return { ...(refusal?.guard(given) ?? given), ...skillTools(toolkit, known) } as Tools;
  };
  return {
    ...config,
    ...(refusal && { hooks: refusal.addHook(hooks) }),
    // Mastra does not register processors that come from a function, or those of an agent with `mastra`, and older versions register
    // only the first of all agents.
    defaultOptions: (call) => {
      if (call.mastra !== undefined) processor.__registerMastra?.(call.mastra);
      return typeof defaultOptions === 'function' ? defaultOptions(call) : defaultOptions;
    },
    tools: typeof tools === 'function' ? async (request) => addTools(await tools(request)) : addTools(tools),
    inputProcessors:
      typeof inputProcessors === 'function'
        ? async (request) => addLast(await inputProcessors(request), processor)
        : addLast(inputProcessors, processor),
  };
}

/** Adds a processor at the end, but before a `ResponseCache`, whose key must be made of all that the model reads. */
function addLast<Given extends { readonly id: string }>(given: readonly Given[], processor: Given): Given[] {
  const end = given.findLastIndex(({ id }) => id !== 'mastra/response-cache') + 1;
  return [...given.slice(0, end), processor, ...given.slice(end)];
}
