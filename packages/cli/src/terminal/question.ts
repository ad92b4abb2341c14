// Asks a question that the person at the terminal answers with yes or no.

import type { CommandLine } from '../command-line.ts';

/** Asks a question; returns whether the answer is yes. No answer means no. */
export async function isAnsweredYes(ask: NonNullable<CommandLine['ask']>, question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `);
  return /^y(?:es)?$/iu.test(answer.trim());
}
