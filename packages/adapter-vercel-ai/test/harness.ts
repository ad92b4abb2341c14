// Holds conversations through a ToolLoopAgent with the AI SDK's own mock model, and tells what the model was given.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import {
  type AdapterConversation,
  type AdapterHarness,
  type AdapterRun,
  type AdapterSession,
  type AdapterSessionOptions,
  lookupResult,
} from '@skillful/testing/harness';
import { isStepCount, jsonSchema, type ModelMessage, pruneMessages, ToolLoopAgent, tool } from 'ai';
import { decide, withSkills } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'Vercel AI SDK', converse, openSession };

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, stream, signal, request } = conversation;
  const model = scriptedModel(conversation.script);
  const settings = { model, instructions: system, stopWhen: isStepCount(10) };
  const agent = new ToolLoopAgent(withSkills(settings, toolkit, { request }));
  const call = { prompt: user, ...(signal === undefined ? {} : { abortSignal: signal }) };
  const answer = stream ? await (await agent.stream(call)).text : (await agent.generate(call)).text;
  return { calls: observedCalls(model), answer };
}

const lookup = tool({
  description: 'Looks something up.',
  inputSchema: jsonSchema<{ query: string }>({ type: 'object', properties: { query: { type: 'string' } } }),
  execute: async () => lookupResult,
});

/** The application keeps the messages; before each model call it prunes all but the latest tool calls. */
async function openSession({ toolkit, system, directory }: AdapterSessionOptions): Promise<AdapterSession> {
  const path = join(directory, 'messages.json');
  const messages: ModelMessage[] = existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : [];
  return {
    async say(user, script) {
      const model = scriptedModel(script);
      const settings = {
        model,
        instructions: system,
        tools: { lookup },
        stopWhen: isStepCount(10),
        prepareStep: ({ messages }: { messages: ModelMessage[] }) => ({
          messages: pruneMessages({ messages: messages.slice(-8), toolCalls: 'before-last-2-messages' }),
        }),
      };
      const agent = new ToolLoopAgent(withSkills(settings, toolkit));
      messages.push({ role: 'user', content: user });
      const { text, responseMessages } = await agent.generate({ messages });
      messages.push(...responseMessages);
      return { calls: observedCalls(model), answer: text };
    },
    activate: async (names) => {
      messages.push(...(await decide(toolkit, { activate: names })));
    },
    deactivate: async (names) => {
      messages.push(...(await decide(toolkit, { deactivate: names })));
    },
    close: () => writeFile(path, JSON.stringify(messages)),
  };
}
