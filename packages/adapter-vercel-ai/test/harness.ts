// Holds conversations through a ToolLoopAgent with the AI SDK's own mock model, and says what the model was given.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillEvent, SkillState } from '@skillful/core';
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
import {
  type generateText,
  jsonSchema,
  type ModelMessage,
  pruneMessages,
  stepCountIs,
  ToolLoopAgent,
  type ToolSet,
  tool,
} from 'ai';
import { activeSkills, decide, withSkills } from '../src/index.ts';

export const harness: AdapterHarness = { framework: 'Vercel AI SDK', asksPeople: true, converse, openSession };

async function converse(conversation: AdapterConversation): Promise<AdapterRun> {
  const { toolkit, system, user, stream, signal, request, mentions } = conversation;
  const model = scriptedModel(conversation.script);
  const settings = { model, instructions: system, stopWhen: stepCountIs(10) };
  const options = { request, signal, mentions, about: { tenant: 'acme' } };
  const agent = new ToolLoopAgent(withSkills(settings, toolkit, options));
  const call = { prompt: user, ...(signal === undefined ? {} : { abortSignal: signal }) };
  const answer = stream ? await (await agent.stream(call)).text : (await agent.generate(call)).text;
  return { calls: observedCalls(model), answer };
}

export const lookup = tool({
  description: 'Looks something up.',
  inputSchema: jsonSchema<{ query: string }>({ type: 'object', properties: { query: { type: 'string' } } }),
  execute: async () => lookupResult,
});

export const publish = tool({
  description: 'Publishes.',
  inputSchema: jsonSchema<{ title: string }>({ type: 'object', properties: { title: { type: 'string' } } }),
  needsApproval: true,
  execute: async () => publishResult,
});

/** Returns the calls that wait for a person. The AI SDK 6 does not pass their questions on: an application shows those of events. */
export function waitingIn(
  content: Awaited<ReturnType<typeof generateText<ToolSet>>>['content'],
  questions: string[],
): readonly WaitingCall[] {
  return content.flatMap((part): WaitingCall[] => {
    if (part.type !== 'tool-approval-request' || part.isAutomatic === true) return [];
    const { toolName, input } = part.toolCall;
    const question = toolName === 'publish' ? undefined : (part.reason ?? questions.shift());
    return [{ id: part.approvalId, tool: toolName, input, question }];
  });
}

/** What an application stores of a conversation. */
export interface StoredConversation {
  messages: ModelMessage[];
  state?: SkillState;
}

/** Opens a session whose messages and state the application keeps in a file; `proceed` lets the model go on. */
export async function openStored(
  { toolkit, directory }: AdapterSessionOptions,
  proceed: (stored: StoredConversation, script: readonly ScriptedTurn[]) => Promise<AdapterRun>,
): Promise<AdapterSession> {
  const path = join(directory, 'conversation.json');
  const stored: StoredConversation = existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : { messages: [] };
  const { messages } = stored;
  return {
    say(user, script) {
      messages.push({ role: 'user', content: user });
      return proceed(stored, script);
    },
    answer(answers, script) {
      const type = 'tool-approval-response' as const;
      messages.push({ role: 'tool', content: answers.map(({ id, ...rest }) => ({ type, approvalId: id, ...rest })) });
      return proceed(stored, script);
    },
    decide: async (decision) => {
      stored.state = await decide(toolkit, decision, messages, { state: stored.state });
    },
    active: () => activeSkills(toolkit, messages, { state: stored.state }),
    async forget(turn) {
      const gone = messagesOfTurn(messages, ({ role }) => role === 'user', turn);
      if (gone[0] !== undefined) messages.splice(messages.indexOf(gone[0]), gone.length);
    },
    close: () => writeFile(path, JSON.stringify(stored)),
  };
}

/** Collects the questions of events. */
export function collectQuestions(): { readonly questions: string[]; readonly onEvent: (event: SkillEvent) => void } {
  const questions: string[] = [];
  return {
    questions,
    onEvent(event) {
      if (event.type === 'approval-needed' && event.question) questions.push(event.question.text);
    },
  };
}

/** Leaves out what an application with little room would leave out. */
export function prune(messages: ModelMessage[]): ModelMessage[] {
  return pruneMessages({ messages: messages.slice(-8), toolCalls: 'before-last-2-messages' });
}

/** The application keeps the messages, and the state beside them; before each model call it may prune. */
function openSession(options: AdapterSessionOptions): Promise<AdapterSession> {
  const { toolkit, system, shortens, signal } = options;
  return openStored(options, async (stored, script) => {
    const { messages, state } = stored;
    const model = scriptedModel(script);
    const { questions, onEvent } = collectQuestions();
    const settings = {
      model,
      instructions: system,
      tools: { lookup, publish },
      stopWhen: stepCountIs(10),
      prepareStep: (step: { messages: ModelMessage[] }) => ({
        messages: shortens ? prune(step.messages) : step.messages,
      }),
    };
    const onState = (next: SkillState) => {
      stored.state = next;
    };
    const agent = new ToolLoopAgent(withSkills(settings, toolkit, { state, onState, onEvent, signal }));
    const run = await agent.generate({ messages, ...(signal && { abortSignal: signal }) });
    const { text, response, responseMessages = response.messages, content } = run;
    messages.push(...responseMessages);
    return { calls: observedCalls(model), answer: text, waiting: waitingIn(content, questions) };
  });
}
