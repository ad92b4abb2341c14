// Files of skills, followed to the request that each provider's own package sends.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import mastra from '@mastra/core/package.json' with { type: 'json' };
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import {
  answerRequests,
  anthropic,
  base64,
  expectFiles,
  google,
  openaiChat,
  openaiResponses,
  type ProviderScript,
  toolkitWithFiles,
} from '@skillful/testing/providers';
import { expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';

const toolkit = await toolkitWithFiles();
const key = { apiKey: 'k' };

/** Mastra hands on no names of files. */
const document = { filename: expect.any(String), file_data: `data:application/pdf;base64,${base64('PDF')}` };
const chatParts = { ...openaiChat.parts, PDF: { type: 'file', file: document } };
const responsesParts = { ...openaiResponses.parts, PDF: { type: 'input_file', ...document } };

/** Mastra's router with a URL, to which it speaks as to OpenAI whatever the name says. Older versions ignore `api`. */
const routed = (id: string, api?: string) => () => ({ id, url: 'https://llm.example/v1', ...key, ...(api && { api }) });
const isOlder = ['1.42.0', '1.60.0'].includes(mastra.version);
type Row = [string, () => unknown, ProviderScript, ProviderScript['parts']];
const routedToResponses: Row = [
  'A router with a URL for responses',
  routed('openai/gpt-5', 'responses'),
  openaiResponses,
  responsesParts,
];

it.each<Row>([
  ['OpenAI chat', () => createOpenAI(key).chat('gpt-5'), openaiChat, chatParts],
  ['OpenAI responses', () => createOpenAI(key).responses('gpt-5'), openaiResponses, responsesParts],
  ['Anthropic', () => createAnthropic(key)('claude-sonnet-4-5'), anthropic, anthropic.parts],
  ['Google with Gemini 2', () => createGoogleGenerativeAI(key)('gemini-2.5-flash'), google, google.parts],
  ['Google with Gemini 3', () => createGoogleGenerativeAI(key)('gemini-3-pro'), google, google.parts],
  ['A router with a URL for OpenAI', routed('openai/gpt-5'), openaiChat, {}],
  ['A router with a URL for Anthropic', routed('anthropic/claude-sonnet-4-5'), openaiChat, {}],
  ...(isOlder ? [] : [routedToResponses]),
])('%s gets files as its own parts, once each, and a sentence about the others', async (_, model, script, parts) => {
  const sent = answerRequests(script.calls, script.words, script.words);
  const storage = new LibSQLStore({ id: 'storage', url: ':memory:' });
  const config = { id: 'agent', name: 'agent', instructions: 'You are kind.', memory: new Memory({ storage }) };
  const agent = new Agent(withSkills({ ...config, model: model() as MastraModelConfig }, toolkit));
  const thread = { memory: { thread: 'one', resource: 'user' } };
  await agent.generate('Read the kit.', thread);
  await agent.generate('Thanks.', thread);
  expect(sent).toHaveLength(3);
  for (const request of sent.slice(1)) expectFiles(request, parts);
});
