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
import { activeSkills, decide, withSkills } from '../src/index.ts';

const about = { tenant: 'acme' };

/** Mastra answers the call of an unknown tool with the names of all that there are. */
export const harness: AdapterHarness = { framework: 'Mastra', refusesMistakenCalls: true, converse, openSession };

/** Mastra takes the AI SDK's models as they are; only its own copy of their types is out of date. */
function asMastraModel(model: ReturnType<typeof scriptedModel>): MastraModelConfig {
  return model as unknown as MastraModelConfig;
}

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, script, stream, signal, request, mentions } = conversation;
  const model = scriptedModel(script);
  const config = { id: 'agent', name: 'agent', instructions: system, model: asMastraModel(model) };
  const agent = new Agent(withSkills(config, toolkit, { about, mentions }));
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

/** Whether the memory recalls few messages, and the token limiter leaves out what does not fit. */
async function openSession({ toolkit, system, directory, shortens }: AdapterSessionOptions): Promise<AdapterSession> {
  const storage = new LibSQLStore({ id: 'session', url: `file:${join(directory, 'memory.db')}` });
  const memory = new Memory({ storage, options: { lastMessages: shortens ? 6 : 1_000 } });
  const thread = { memory, threadId: 'session' };
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
        inputProcessors: shortens ? [new TokenLimiterProcessor(1_500)] : [],
      };
      const agent = new Agent(withSkills(config, toolkit));
      const { text } = await agent.generate(user, { memory: { thread: 'session', resource: 'user' }, maxSteps: 10 });
      return { calls: observedCalls(model), answer: text };
    },
    decide: (decision) => decide(toolkit, decision, thread),
    active: () => activeSkills(toolkit, thread),
    close: async () => {},
  };
}
