// Holds conversations through a Mastra Agent with the AI SDK's mock model, which Mastra takes as a model of its own.

import { join } from 'node:path';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { TokenLimiterProcessor } from '@mastra/core/processors';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import {
  type AdapterConversation,
  type AdapterHarness,
  type AdapterRun,
  type AdapterSession,
  type AdapterSessionOptions,
  lookupResult,
} from '@skillful/testing/harness';
import { decide, withSkills } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'Mastra', converse, openSession };

/** Mastra takes the AI SDK's models as they are; only its own copy of their types is out of date. */
function asMastraModel(model: ReturnType<typeof scriptedModel>): MastraModelConfig {
  return model as unknown as MastraModelConfig;
}

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, script, stream, signal, request } = conversation;
  const model = scriptedModel(script);
  const config = { id: 'agent', name: 'agent', instructions: system, model: asMastraModel(model) };
  const agent = new Agent(withSkills(config, toolkit));
  const requestContext = new RequestContext(Object.entries(request ?? {}));
  const options = { requestContext, maxSteps: 10, ...(signal === undefined ? {} : { abortSignal: signal }) };
  const answer = stream ? await (await agent.stream(user, options)).text : (await agent.generate(user, options)).text;
  return { calls: observedCalls(model), answer };
}

const lookup = createTool({
  id: 'lookup',
  description: 'Looks something up.',
  execute: async () => ({ text: lookupResult }),
  toModelOutput: (output) => ({ type: 'text', value: (output as { text: string }).text }),
});

/** The memory recalls few messages, and the token limiter leaves out what does not fit. */
async function openSession({ toolkit, system, directory }: AdapterSessionOptions): Promise<AdapterSession> {
  const storage = new LibSQLStore({ id: 'session', url: `file:${join(directory, 'memory.db')}` });
  const memory = new Memory({ storage, options: { lastMessages: 6 } });
  return {
    async say(user, script) {
      const model = scriptedModel(script);
      const config: AgentConfig<'agent'> = {
        id: 'agent',
        name: 'agent',
        instructions: system,
        model: asMastraModel(model),
        memory,
        tools: { lookup },
        inputProcessors: [new TokenLimiterProcessor(1_500)],
      };
      const agent = new Agent(withSkills(config, toolkit));
      const { text } = await agent.generate(user, { memory: { thread: 'session', resource: 'user' }, maxSteps: 10 });
      return { calls: observedCalls(model), answer: text };
    },
    activate: (names) => decide(toolkit, { activate: names }, { memory, threadId: 'session' }),
    deactivate: (names) => decide(toolkit, { deactivate: names }, { memory, threadId: 'session' }),
    close: async () => {},
  };
}
