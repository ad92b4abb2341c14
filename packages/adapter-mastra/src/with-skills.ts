// Adds skills to an agent's configuration in one step.

import type { AgentConfig, ToolsInput } from '@mastra/core/agent';
import type { Mastra } from '@mastra/core/mastra';
import type { RequestContext } from '@mastra/core/request-context';
import { skillsProcessor } from './processor.ts';
import { createRefusal } from './refuse.ts';
import type { SkillsOptions } from './run.ts';
import type { AgentMemory, AgentToolkit } from './thread.ts';
import { skillTools } from './tools.ts';
import { type AgentWorkspace, sharedWorkspace } from './workspace.ts';

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
  const memory = shareMemory(config.memory as SkillsOptions['memory']);
  // An agent without a workspace gets none here, because then it would get none from an `AgentController` or from a file
  // `workspace.ts`.
  const workspace = shareWorkspace(config.workspace as SkillsOptions['workspace']);
  const found = { memory, workspace: workspace ?? sharedWorkspace, agent: id };
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
    ...(memory && { memory: memory as typeof config.memory }),
    ...(workspace && { workspace: workspace as typeof config.workspace }),
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

interface OpenCall {
  readonly mastra?: Mastra;
  readonly requestContext: RequestContext;
}

/** Returns a memory that the processor can open. As in the agent, a memory without a storage gets that of Mastra. */
function shareMemory(memory: AgentMemory | undefined): AgentMemory | undefined {
  if (typeof memory !== 'function') return memory;
  return rememberMastra(async (call) => {
    const opened = await memory(call);
    const storage = call.mastra?.getStorage();
    if (storage !== undefined && !opened.hasOwnStorage) opened.setStorage(storage);
    return opened;
  });
}

/** Returns a workspace that the processor can open. */
function shareWorkspace(workspace: AgentWorkspace | undefined): AgentWorkspace | undefined {
  return typeof workspace === 'function' ? rememberMastra(workspace) : workspace;
}

/** Remembers `mastra` from the agent's call, which comes first, because the processor does not receive it. */
function rememberMastra<Opened>(open: (call: OpenCall) => Opened): (call: OpenCall) => Opened {
  let known: Pick<OpenCall, 'mastra'> = {};
  return (call) => {
    if (call.mastra !== undefined) known = { mastra: call.mastra };
    return open({ ...call, ...known });
  };
}
