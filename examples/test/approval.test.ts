// The example of approval: what is denied, asked about and allowed, and what a browser gets of it.

import { expect, test } from 'vitest';
import { listeners, type Turn } from '../stand-in/turn.ts';
import { converse, createModel } from '../vercel-ai/approval.ts';

async function hold(agrees: (question: string) => boolean) {
  const turns: Turn[] = [];
  const listen = (turn: Turn): void => void turns.push(turn);
  listeners.add(listen);
  const questions: string[] = [];
  const messages = await converse(
    'Is it any good?',
    (question) => {
      questions.push(question);
      return agrees(question);
    },
    createModel(),
  );
  listeners.delete(listen);
  return { questions, messages, results: turns.at(-1)?.results.map(({ text }) => text) ?? [] };
}

test('in the AI SDK', async () => {
  const { questions, messages, results } = await hold((question) => !question.includes('customers'));
  expect(questions).toEqual([
    expect.stringMatching(
      /^Let the model follow the skill `project:csv-report` \(from project\)\? It reads data of customers\. Its files: sha256:/,
    ),
    expect.stringMatching(
      /^Run `scripts\/check-message\.sh "-" "<" "Fixed bug\."` of the skill `project:commit-messages` \(from project\)\?/,
    ),
  ]);
  expect(results).toEqual([
    expect.stringMatching(/^No skill `incident-review`/),
    expect.stringContaining('Not now.'),
    expect.stringContaining('<skill_content name="commit-messages"'),
    expect.stringContaining('is not imperative'),
  ]);
  const shown = JSON.stringify(messages);
  expect(shown).toContain('"kind":"activation","skill":"commit-messages"');
  expect(shown).toContain('"exitCode":1');
  const secrets = [
    ...results.slice(2),
    'is not imperative\n',
    import.meta.dirname,
    'incident-review/',
    '<skill_content',
  ];
  for (const secret of secrets) expect(shown).not.toContain(secret);
});

test('in the AI SDK, if the person agrees to nothing', async () => {
  const { results } = await hold(() => false);
  expect(results).toEqual([
    expect.stringMatching(/^No skill `incident-review`/),
    expect.stringContaining('Not now.'),
    expect.stringContaining('<skill_content name="commit-messages"'),
    expect.stringContaining('Not now.'),
  ]);
});
