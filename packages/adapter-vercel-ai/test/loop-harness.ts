// Holds conversations through a loop of one's own: each model call is one step of `generateText` or `streamText`.

import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import type {
  AdapterConversation,
  AdapterHarness,
  AdapterRun,
  AdapterSession,
  AdapterSessionOptions,
  ScriptedTurn,
} from '@skillful/testing/harness';
import { generateText, type ModelMessage, streamText, type ToolSet } from 'ai';
import { type ModelCall, prepareModelCall } from '../src/index.ts';
import { collectQuestions, lookup, openStored, prune, publish, type StoredConversation, waitingIn } from './harness.ts';
import { messagesOf } from './read.ts';

export const harness: AdapterHarness = {
  framework: 'Vercel AI SDK, own loop',
  asksPeople: true,
  converse,
  openSession,
};

type Loop = Pick<ModelCall<ToolSet>, 'instructions' | 'signal' | 'request' | 'mentions' | 'about'> & {
  readonly toolkit: AdapterConversation['toolkit'];
  readonly tools?: ToolSet;
  readonly stream?: boolean;
  readonly shorten?: (messages: ModelMessage[]) => ModelMessage[];
};

/** Calls the model until it is done or waits for a person. */
async function loop(
  stored: StoredConversation,
  script: readonly ScriptedTurn[],
  { toolkit, tools = {}, stream = false, shorten = (messages) => messages, ...options }: Loop,
) {
  const model = scriptedModel(script);
  const { questions, onEvent } = collectQuestions();
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

function openSession(options: AdapterSessionOptions): Promise<AdapterSession> {
  const { toolkit, system, shortens, signal } = options;
  const shown = shortens ? { shorten: prune } : {};
  return openStored(options, (stored, script) =>
    loop(stored, script, { toolkit, instructions: system, signal, tools: { lookup, publish }, ...shown }),
  );
}
