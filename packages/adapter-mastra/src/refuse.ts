// Refuses calls of the application's tools that active skills do not allow, even those that a person approved.

import type { AgentConfig, ToolsInput } from '@mastra/core/agent';
import { Tool } from '@mastra/core/tools';
import type { SkillToolkit, ToolCall } from '@skillful/core';
import { contextOf, findRun, isOfStep, type RunCall, type SkillRun, type SkillsOptions } from './run.ts';

type Hooks = NonNullable<AgentConfig['hooks']>;

/** The parts that refuse denied calls of an agent's tools. Each call is judged where most is known about its run. */
export interface Refusal {
  /** Returns tools of Mastra that judge their calls, because only they know which run continues after a person answered. */
  guard(tools: ToolsInput): ToolsInput;
  /** Returns the hooks of an agent with one more in front, which judges the calls of all other tools. */
  addHook(hooks: Hooks | undefined): Hooks;
}

/** Throws if a call is denied. The error reaches the model as text, however the tool formats its results. */
export async function refuseDenied(
  call: ToolCall,
  run: SkillRun,
  toolkit: SkillToolkit,
  place: RunCall,
): Promise<void> {
  const known = { ...contextOf(run, place), call: place.toolCallId, siblings: run.calls(), asks: false };
  const judgement = await toolkit.judge(call, known);
  if (judgement.effect === 'deny') throw new Error(judgement.text);
}

/** Creates the refusal for one agent, for calls that were not judged in their step because their run waited for a person. */
export function createRefusal(toolkit: SkillToolkit, options: SkillsOptions): Refusal {
  const guarded = new Set<string>();
  const check = async (call: ToolCall, place: RunCall): Promise<void> => {
    if (!isOfStep(place)) await refuseDenied(call, await findRun(call.name, place, options, toolkit), toolkit, place);
  };
  return {
    guard(tools) {
      const guardTool = (name: string, tool: ToolsInput[string]): ToolsInput[string] => {
        if (!(tool instanceof Tool) || tool.execute === undefined) return tool;
        guarded.add(name);
        const execute: typeof tool.execute = async (input, call) => {
          await check({ name, input }, { ...call, ...call.agent });
          return tool.execute?.(input, call);
        };
        return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute });
      };
      return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool)]));
    },
    addHook: (hooks) => ({
      ...hooks,
      async beforeToolCall(call) {
        const { toolName: name, input, context } = call;
        // Mastra writes the thread here, and replaces what a client may have sent.
        const { thread, resourceId } = Object(Object(context).requestContext?.get('MastraMemory'));
        if (!guarded.has(name)) await check({ name, input }, { ...Object(context), threadId: thread?.id, resourceId });
        return hooks?.beforeToolCall?.(call);
      },
    }),
  };
}
