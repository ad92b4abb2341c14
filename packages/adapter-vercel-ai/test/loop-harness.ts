// Holds conversations through a loop of one's own: each model call is one step of `generateText` or `streamText`.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillEvent, SkillState } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import type {
  AdapterConversation,
  AdapterHarness,
  AdapterRun,
  AdapterSession,
  AdapterSessionOptions,
  ScriptedTurn,
} from '@skillful/testing/harness';
import { generateText, type ModelMessage, pruneMessages, streamText, type ToolSet } from 'ai';
import { activeSkills, decide, type ModelCall, prepareModelCall } from '../src/index.ts';
import { lookup, publish, waitingIn } from './harness.ts';
import { messagesOf } from './read.ts';

export const harness: AdapterHarness = {
  framework: 'Vercel AI SDK, own loop',
  asksPeople: true,
  converse,
  openSession,
};

/** What the application stores. */
interface Stored {
  messages: ModelMessage[];
  state?: SkillState;
}

type Loop = Pick<ModelCall<ToolSet>, 'instructions' | 'signal' | 'request' | 'mentions' | 'about'> & {
  readonly toolkit: AdapterConversation['toolkit'];
  readonly tools?: ToolSet;
  readonly stream?: boolean;
  readonly shorten?: (messages: ModelMessage[]) => ModelMessage[];
};

/** Calls the model until it is done or waits for a person. */
async function loop(
  stored: Stored,
  script: readonly ScriptedTurn[],
  { toolkit, tools = {}, stream = false, shorten = (messages) => messages, ...options }: Loop,
) {
  const model = scriptedModel(script);
  const questions: string[] = [];
  const onEvent = (event: SkillEvent) => {
    if (event.type === 'approval-needed' && event.question) questions.push(event.question.text);
  };
  const run = stream ? streamText : generateText;
  for (;;) {
    const { messages: conversation } = stored;
    const call = {
      ...options,
      onEvent,
      messages: shorten(conversation),
      conversation,
      model,
      tools,
      state: stored.state,
    };
    const { state, active, ...settings } = await prepareModelCall(toolkit, call);
    void active;
    stored.state = state;
    const answer = await run({ model, ...settings, ...(options.signal && { abortSignal: options.signal }) });
    conversation.push(...(await messagesOf(answer)));
    const [content, text, reason] = [await answer.content, await answer.text, await answer.finishReason];
    const waiting = waitingIn(content, questions);
    if (reason !== 'tool-calls' || waiting.length > 0) return { calls: observedCalls(model), answer: text, waiting };
  }
}

async function converse({ user, script, system, ...options }: AdapterConversation): Promise<AdapterRun> {
  const { calls, answer } = await loop({ messages: [{ role: 'user', content: user }] }, script, {
    ...options,
    instructions: system,
    about: { tenant: 'acme' },
  });
  return { calls, answer };
}

async function openSession(options: AdapterSessionOptions): Promise<AdapterSession> {
  const { toolkit, system, directory, shortens, signal } = options;
  const path = join(directory, 'conversation.json');
  const stored: Stored = existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : { messages: [] };
  const { messages } = stored;

  async function proceed(script: readonly ScriptedTurn[]): Promise<AdapterRun> {
    return loop(stored, script, {
      toolkit,
      instructions: system,
      signal,
      tools: { lookup, publish },
      ...(shortens && {
        shorten: (all: ModelMessage[]) =>
          pruneMessages({ messages: all.slice(-8), toolCalls: 'before-last-2-messages' }),
      }),
    });
  }

  return {
    say(user, script) {
      messages.push({ role: 'user', content: user });
      return proceed(script);
    },
    answer(answers, script) {
      const type = 'tool-approval-response' as const;
      messages.push({ role: 'tool', content: answers.map(({ id, ...rest }) => ({ type, approvalId: id, ...rest })) });
      return proceed(script);
    },
    decide: async (decision) => {
      stored.state = await decide(toolkit, decision, messages, { state: stored.state });
    },
    active: () => activeSkills(toolkit, messages, { state: stored.state }),
    close: () => writeFile(path, JSON.stringify(stored)),
  };
}
