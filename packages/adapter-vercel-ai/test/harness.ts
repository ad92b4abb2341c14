// Holds a conversation through a ToolLoopAgent with the AI SDK's own mock model, and tells what the model was given.

import type { AdapterConversation, AdapterHarness, AdapterRun } from '@skillful/testing';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { isStepCount, ToolLoopAgent } from 'ai';
import { withSkills } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'Vercel AI SDK', converse };

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, stream, signal, request } = conversation;
  const model = scriptedModel(conversation.script);
  const settings = { model, instructions: system, stopWhen: isStepCount(10) };
  const agent = new ToolLoopAgent(withSkills(settings, toolkit, { request }));
  const call = { prompt: user, ...(signal === undefined ? {} : { abortSignal: signal }) };
  const answer = stream ? await (await agent.stream(call)).text : (await agent.generate(call)).text;
  return { calls: observedCalls(model), answer };
}
