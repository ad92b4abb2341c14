// Files of skills, followed to the request that each provider's own package sends.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  answerRequests,
  anthropic,
  expectFiles,
  google,
  openaiChat,
  openaiResponses,
  toolkitWithFiles,
} from '@skillful/testing/providers';
import { type ModelMessage, stepCountIs, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { skillsMiddleware, skillTools, withSkills } from '../src/index.ts';
import { messagesOf } from './read.ts';

const toolkit = await toolkitWithFiles();
const stopWhen = stepCountIs(5);
const key = { apiKey: 'k' };

describe.each([
  ['OpenAI chat', () => createOpenAI(key).chat('gpt-5'), openaiChat],
  ['OpenAI responses', () => createOpenAI(key).responses('gpt-5'), openaiResponses],
  ['Anthropic', () => createAnthropic(key)('claude-sonnet-4-5'), anthropic],
  ['Google with Gemini 2', () => createGoogleGenerativeAI(key)('gemini-2.5-flash'), google],
  ['Google with Gemini 3', () => createGoogleGenerativeAI(key)('gemini-3-pro'), google],
])('%s', (_, model, { calls, words, parts }) => {
  it('gets files as its own parts, once each, and a sentence about the others', async () => {
    const sent = answerRequests(calls, words, words);
    const agent = new ToolLoopAgent(withSkills({ model: model(), stopWhen }, toolkit));
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read the kit.' }];
    messages.push(...(await messagesOf(await agent.generate({ messages }))), { role: 'user', content: 'Thanks.' });
    await agent.generate({ messages: JSON.parse(JSON.stringify(messages)) });
    expect(sent).toHaveLength(3);
    for (const request of sent.slice(1)) expectFiles(request, parts);
  });

  it('gets the same from the middleware', async () => {
    const sent = answerRequests(calls, words);
    const wrapped = wrapLanguageModel({ model: model(), middleware: skillsMiddleware(toolkit) });
    await new ToolLoopAgent({ model: wrapped, tools: skillTools(toolkit), stopWhen }).generate({ prompt: 'Read it.' });
    expectFiles(sent[1], parts);
  });
});
