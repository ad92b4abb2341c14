// The stand-in streams what it would have generated, in both shapes of model.

import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { skillsMiddleware } from '@skillful/langchain';
import { withSkills } from '@skillful/vercel-ai';
import { ToolLoopAgent } from 'ai';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import * as ai from '../stand-in/ai.ts';
import * as langchain from '../stand-in/langchain.ts';
import { ask } from '../vercel-ai/index.ts';

const request = 'How do we report API errors?';
const toolkit = createToolkit(await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]));
const answer = await ask(request, () => {});

test('in the AI SDK', async () => {
  const agent = new ToolLoopAgent(withSkills({ model: ai.standInModel() }, toolkit));
  const { textStream } = await agent.stream({ prompt: request });
  const pieces: string[] = [];
  for await (const piece of textStream) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(answer);
});

test('in LangChain', async () => {
  const agent = createAgent({ model: langchain.standInModel(), middleware: [skillsMiddleware(toolkit)] });
  const stream = await agent.stream({ messages: [{ role: 'user', content: request }] }, { streamMode: 'messages' });
  const texts: string[] = [];
  for await (const [message] of stream) if (message.getType() === 'ai') texts.push(message.text);
  expect(texts.join('')).toBe(answer);
});
