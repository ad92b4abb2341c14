// Refuses calls of the application's tools that active skills do not allow, even those that a person approved.

import type { AgentConfig, ToolsInput } from '@mastra/core/agent';
import { Tool } from '@mastra/core/tools';
import type { SkillToolkit, ToolCall } from '@skillful/core';
import { callsOf, findRun, type RunCall, type SkillsOptions } from './run.ts';

type Hooks = NonNullable<AgentConfig['hooks']>;

/** Refuses the calls of some agent's tools: each is judged where most is known of its run. */
export interface Refusal {
  /** Returns tools of Mastra that judge their calls: only they learn which run continues after a person answered. */
  guard(tools: ToolsInput): ToolsInput;
  /** Returns an agent's hooks with one more in front, which judges the calls of all other tools. */
  addHook(hooks: Hooks | undefined): Hooks;
}

/** Creates the refusal of one agent. */
export function createRefusal(toolkit: SkillToolkit, options: SkillsOptions): Refusal {
  const guarded = new Set<string>();
  const check = async (call: ToolCall, place: RunCall & { readonly abortSignal?: AbortSignal }): Promise<void> => {
    const run = await findRun(place, options, toolkit);
    const { requestContext: request, abortSignal: signal, toolCallId } = place;
    const known = { ...run.known, request, signal, call: toolCallId, siblings: callsOf(run) };
    const judgement = await toolkit.judge(call, { ...known, asks: false });
    // An error reaches the model as text, however the tool formats its results.
    if (judgement.effect === 'deny') throw new Error(judgement.text);
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
        const { requestContext, toolCallId, messages, abortSignal } = Object(context);
        // Mastra itself writes the thread here, over what a client sent.
        const { thread, resourceId } = Object(requestContext?.get('MastraMemory'));
        const place = { messages, threadId: thread?.id, resourceId, requestContext, toolCallId, abortSignal };
        if (!guarded.has(name)) await check({ name, input }, place);
        return hooks?.beforeToolCall?.(call);
      },
    }),
  };
}
