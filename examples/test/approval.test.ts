// The examples of approval: what is denied, asked about and allowed, and what a browser gets of it.

import type { MastraModelConfig } from '@mastra/core/llm';
import { describe, expect, test } from 'vitest';
import { converse as inLangChain } from '../langchain/approval.ts';
import { converse as inMastra } from '../mastra/approval.ts';
import { standInModel as createAiModel } from '../stand-in/ai.ts';
import { standInModel as createLangChainModel } from '../stand-in/langchain.ts';
import { converse as inVercelAi } from '../vercel-ai/approval.ts';
import { agreesToSome, type Converse, hold, reply, toFollow, toRun } from './approval-story.ts';

const stream = (activation: object): readonly unknown[] => [
  { question: toFollow, approved: false },
  activation,
  { question: toRun, approved: true },
  { text: 'No: the subject is not imperative.' },
];

/** How each framework holds the conversation, all that a browser gets of it, and what the model gets for a refused call. */
const frameworks: readonly (readonly [string, Converse, unknown, unknown])[] = [
  [
    'LangChain',
    (request, agrees) => inLangChain(request, agrees, createLangChainModel(reply)),
    stream({ type: 'activated', skill: 'commit-messages' }),
    'Not now.',
  ],
  [
    'Mastra',
    // Mastra bundles older types of the AI SDK, which lack a finish reason that the stand-in never returns.
    (request, agrees) => inMastra(request, agrees, createAiModel(reply) as MastraModelConfig),
    stream({ skill: 'commit-messages', happened: 'activated' }),
    'Not now.',
  ],
  [
    'the AI SDK',
    (request, agrees) => inVercelAi(request, agrees, createAiModel(reply)),
    expect.any(Array),
    expect.stringContaining('Not now.'),
  ],
];

describe.each(frameworks)('in %s', (_, converse, browser, refused) => {
  test('the person is asked, and the browser gets what it may show', async () => {
    const { questions, shown, results } = await hold(converse, agreesToSome);
    expect(questions).toEqual([toFollow, toRun]);
    expect(shown).toEqual(browser);
    expect(results).toEqual([
      expect.stringMatching(/^No skill `incident-review`/),
      refused,
      expect.stringContaining('<skill_content name="commit-messages"'),
      expect.stringContaining('is not imperative'),
    ]);
    const sent = JSON.stringify(shown);
    const secrets = ['is not imperative\n', import.meta.dirname, 'incident-review/', '<skill_content'];
    for (const secret of [...results.slice(2), ...secrets]) expect(sent).not.toContain(secret);
  });

  test('nothing happens if the person agrees to nothing', async () => {
    const { questions, results } = await hold(converse, () => false);
    expect(questions).toEqual([toFollow, toRun]);
    expect(results).toEqual([
      expect.stringMatching(/^No skill `incident-review`/),
      refused,
      expect.stringContaining('<skill_content name="commit-messages"'),
      refused,
    ]);
  });
});

test('the messages of the AI SDK say what happened', async () => {
  const { shown } = await hold((request, agrees) => inVercelAi(request, agrees, createAiModel(reply)), agreesToSome);
  const sent = JSON.stringify(shown);
  expect(sent).toContain('"kind":"activation","skill":"commit-messages"');
  expect(sent).toContain('"exitCode":1');
});
