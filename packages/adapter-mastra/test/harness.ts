// Holds a conversation through a Mastra Agent with the AI SDK's mock model, which Mastra takes as a model of its own.

import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { RequestContext } from '@mastra/core/request-context';
import type { AdapterConversation, AdapterHarness, AdapterRun } from '@skillful/testing';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { withSkills } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'Mastra', converse };

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, script, stream, signal, request } = conversation;
  const model = scriptedModel(script);
  // Mastra takes the AI SDK's models as they are; only its own copy of their types is out of date.
  const mastraModel = model as unknown as MastraModelConfig;
  const agent = new Agent(
    withSkills({ id: 'agent', name: 'agent', instructions: system, model: mastraModel }, toolkit),
  );
  const requestContext = new RequestContext(Object.entries(request ?? {}));
  const options = { requestContext, maxSteps: 10, ...(signal === undefined ? {} : { abortSignal: signal }) };
  const answer = stream ? await (await agent.stream(user, options)).text : (await agent.generate(user, options)).text;
  return { calls: observedCalls(model), answer };
}
