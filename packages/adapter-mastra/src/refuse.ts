// Refuses calls of the application's tools that active skills do not allow, even those that a person approved.

import type { AgentConfig } from '@mastra/core/agent';
import type { SkillToolkit } from '@skillful/core';
import { findRun, type SkillsOptions } from './run.ts';
import { viewCalls } from './view.ts';

type Hooks = NonNullable<AgentConfig['hooks']>;

/** Returns an agent's hooks with one more in front, the only place that every call passes, even in a resumed run. */
export function refuseCalls(hooks: Hooks | undefined, toolkit: SkillToolkit, options: SkillsOptions): Hooks {
  return {
    ...hooks,
    async beforeToolCall(call) {
      const { toolName: name, input } = call;
      const { requestContext: request, toolCallId, messages, abortSignal: signal } = Object(call.context);
      // Mastra itself writes the thread here, and replaces what a client sent.
      const { thread, resourceId } = Object(request?.get('MastraMemory'));
      const place = { messages, threadId: thread?.id, resourceId, requestContext: request };
      const run = await findRun(place, options, toolkit);
      const known = { ...run.known, request, signal, call: toolCallId, siblings: viewCalls(run.messageList) };
      const judgement = await toolkit.judge({ name, input }, { ...known, asks: false });
      // An error reaches the model as text, however the tool formats its results.
      if (judgement.effect === 'deny') throw new Error(judgement.text);
      return hooks?.beforeToolCall?.(call);
    },
  };
}
