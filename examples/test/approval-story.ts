// The story of the approval examples: what the stand-in does, what a person is asked, and what the model is told.

import { expect } from 'vitest';
import { listeners, type Reply, type Turn } from '../stand-in/turn.ts';

/** One reply for each result that the model was given. */
const replies: readonly Reply[] = [
  { tool: 'activate_skill', input: { name: 'incident-review' } },
  { tool: 'activate_skill', input: { name: 'csv-report' } },
  { tool: 'activate_skill', input: { name: 'commit-messages' } },
  {
    tool: 'run_skill_script',
    input: { skill: 'commit-messages', path: 'scripts/check-message.sh', arguments: ['-'], input: 'Fixed bug.' },
  },
];

/** Answers as the model of the story. */
export const reply = ({ results }: Turn): Reply =>
  replies[results.length] ?? { text: 'No: the subject is not imperative.' };

export const toFollow: unknown = expect.stringMatching(
  /^Let the model follow the skill `project:csv-report` \(from project\)\? It reads data of customers\. Its files: sha256:/,
);
export const toRun: unknown = expect.stringMatching(
  /^Run `scripts\/check-message\.sh "-" "<" "Fixed bug\."` of the skill `project:commit-messages` \(from project\)\?/,
);

/** Whether a person agrees to a question: not to what reads data of customers. */
export const agreesToSome = (question: string): boolean => !question.includes('customers');

/** Holds a conversation with a person, and returns what a browser gets of it. */
export type Converse = (request: string, agrees: (question: string) => boolean) => Promise<unknown>;

/** Holds the conversation, and returns what came of it, the questions and what the model was told. */
export async function hold(converse: Converse, agrees: (question: string) => boolean) {
  const turns: Turn[] = [];
  const listen = (turn: Turn): void => void turns.push(turn);
  listeners.add(listen);
  const questions: string[] = [];
  const shown = await converse('Is it any good?', (question) => {
    questions.push(question);
    return agrees(question);
  });
  listeners.delete(listen);
  return { questions, shown, results: turns.at(-1)?.results.map(({ text }) => text) ?? [] };
}
