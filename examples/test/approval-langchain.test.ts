// The example of approval in LangChain: what is denied, asked about and allowed, and what a browser gets of it.

import { expect, test } from 'vitest';
import { converse, createModel } from '../langchain/approval.ts';
import { listeners, type Turn } from '../stand-in/turn.ts';

async function hold(agrees: (question: string) => boolean) {
  const turns: Turn[] = [];
  const listen = (turn: Turn): void => void turns.push(turn);
  listeners.add(listen);
  const shown = await converse('Is it any good?', agrees, createModel());
  listeners.delete(listen);
  return { shown, results: turns.at(-1)?.results.map(({ text }) => text) ?? [] };
}

const toFollow = expect.stringMatching(
  /^Let the model follow the skill `project:csv-report` \(from project\)\? It reads data of customers\. Its files: sha256:/,
);
const toRun = expect.stringMatching(
  /^Run `scripts\/check-message\.sh "-" "<" "Fixed bug\."` of the skill `project:commit-messages` \(from project\)\?/,
);

test('in LangChain', async () => {
  const { shown, results } = await hold((question) => !question.includes('customers'));
  expect(shown).toEqual([
    { question: toFollow, approved: false },
    { type: 'activated', skill: 'commit-messages' },
    { question: toRun, approved: true },
    { text: 'No: the subject is not imperative.' },
  ]);
  expect(results).toEqual([
    expect.stringMatching(/^No skill `incident-review`/),
    'Not now.',
    expect.stringContaining('<skill_content name="commit-messages"'),
    expect.stringContaining('is not imperative'),
  ]);
});

test('in LangChain, if the person agrees to nothing', async () => {
  const { shown, results } = await hold(() => false);
  expect(shown).toContainEqual({ question: toRun, approved: false });
  expect(results.at(-1)).toBe('Not now.');
});
