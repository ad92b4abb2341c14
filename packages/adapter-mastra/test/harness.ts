// Holds conversations through a Mastra Agent with the AI SDK's mock model, which Mastra takes as a model of its own.

import { join } from 'node:path';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import mastra from '@mastra/core/package.json' with { type: 'json' };
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
  messagesOfTurn,
  publishResult,
  type ScriptedTurn,
  type WaitingCall,
} from '@skillful/testing/harness';
import { activeSkills, decide, withSkills } from '../src/index.ts';

const about = { tenant: 'acme' };

/** Mastra answers the call of an unknown tool with the names of all that there are. */
export const harness: AdapterHarness = {
  framework: 'Mastra',
  refusesMistakenCalls: true,
  // Before 1.60, anyone could answer.
  asksPeople: mastra.version !== '1.42.0',
  converse,
  openSession,
};

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

const publish = createTool({
  id: 'publish',
  description: 'Publishes something.',
  requireApproval: true,
  execute: async () => ({ text: publishResult }),
  toModelOutput: (output) => ({ type: 'text', value: (output as { text: string }).text }),
});

/** Whether the memory recalls few messages, and the token limiter leaves out what does not fit. */
async function openSession(options: AdapterSessionOptions): Promise<AdapterSession> {
  const { toolkit, system, directory, shortens, signal } = options;
  const storage = new LibSQLStore({ id: 'session', url: `file:${join(directory, 'memory.db')}` });
  const memory = new Memory({ storage, options: { lastMessages: shortens ? 6 : 1_000 } });
  const thread = { memory, threadId: 'session' };
  const limits = {
    memory: { thread: 'session', resource: 'user' },
    maxSteps: 10,
    ...(signal && { abortSignal: signal }),
  };

  async function converse(script: readonly ScriptedTurn[], start: (agent: Agent<'agent'>) => Promise<Streamed>) {
    const model = scriptedModel(script);
    const config: AgentConfig<'agent'> = {
      id: 'agent',
      name: 'agent',
      instructions: system,
      model: asMastraModel(model),
      memory,
      tools: { lookup, publish },
      inputProcessors: shortens ? [new TokenLimiterProcessor(1_500)] : [],
    };
    const agent = new Agent(withSkills(config, toolkit, { streamEvents: true }));
    new Mastra({ agents: { agent }, storage, logger: false });
    const { runId, fullStream, text } = await start(agent);
    // If it fails, so does the stream.
    text.catch(() => {});
    const questions = new Map<string, string>();
    const asked: { toolCallId: string; toolName: string; args?: unknown }[] = [];
    for await (const chunk of fullStream) {
      if (chunk.type === 'data-skill') questions.set(Object(chunk.data).call, Object(chunk.data).question);
      if (chunk.type === 'tool-call-approval') asked.push(chunk.payload);
    }
    const waiting = asked.map(({ toolCallId, toolName: tool, args: input }): WaitingCall => {
      return { id: `${runId} ${toolCallId}`, tool, input, question: questions.get(toolCallId) };
    });
    return { calls: observedCalls(model), answer: await text, waiting };
  }

  return {
    say: (user, script) => converse(script, (agent) => agent.stream(user, limits)),
    answer: ([answer], script) =>
      converse(script, (agent) => {
        const { id = '', approved, ...reason } = answer ?? {};
        const [runId = '', toolCallId = ''] = id.split(' ');
        const call = { runId, toolCallId, ...limits };
        return approved === true ? agent.approveToolCall(call) : agent.declineToolCall({ ...call, ...reason });
      }),
    decide: (decision) => decide(toolkit, decision, thread),
    active: () => activeSkills(toolkit, thread),
    async forget(turn) {
      const { messages } = await memory.recall({ threadId: 'session', perPage: false });
      const gone = messagesOfTurn(messages, ({ role }) => role === 'user', turn);
      await memory.deleteMessages(gone.map(({ id }) => id));
    },
    stored: async () =>
      JSON.stringify([
        await memory.recall({ threadId: 'session', perPage: false }),
        await memory.getThreadById({ threadId: 'session' }),
      ]),
    close: async () => {},
  };
}

type Streamed = Awaited<ReturnType<Agent<'agent'>['stream']>>;
