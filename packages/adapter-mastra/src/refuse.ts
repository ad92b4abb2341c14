// Refuses calls of the application's tools that active skills do not allow, also those that a person approved.

import type { AgentConfig } from '@mastra/core/agent';
import type { SkillToolkit } from '@skillful/core';
import { contextOf, findRun, resumeRun, type SkillsOptions } from './run.ts';
import { besides, viewCalls } from './view.ts';

type Hooks = NonNullable<AgentConfig['hooks']>;

/** Returns an agent's hooks with one more in front, the only place that a call passes in every run that goes on. */
export function refuseCalls(hooks: Hooks | undefined, toolkit: SkillToolkit, options: SkillsOptions): Hooks {
  const own = new Set(toolkit.tools.map(({ name }) => name));
  return {
    ...hooks,
    async beforeToolCall(call) {
      const { toolName: name, input } = call;
      const { requestContext, toolCallId, messages, abortSignal: signal } = Object(call.context);
      if (!own.has(name)) {
        // Mastra itself writes the thread here, over what a client sent.
        const { thread, resourceId } = Object(requestContext?.get('MastraMemory'));
        const place = { threadId: thread?.id, resourceId, requestContext };
        const run = findRun(messages) ?? (await resumeRun(place, options, toolkit));
        const siblings = besides(viewCalls(run.messageList), toolCallId);
        const context = { ...contextOf(run, requestContext, options), signal, call: toolCallId, siblings };
        const judgement = await toolkit.judge({ name, input }, context);
        // An error reaches the model in words, whatever the tool makes of its results.
        if (judgement.effect === 'deny') throw new Error(judgement.text);
      }
      return hooks?.beforeToolCall?.(call);
    },
  };
}
