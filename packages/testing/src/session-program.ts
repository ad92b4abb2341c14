// Plays some turns of the session in a separate process: `session-program HARNESS DIRECTORY FROM TO`. Prints JSON.

import type { ObservedCall } from './adapter-harness.ts';
import { applicationPrompt } from './converse.ts';
import { loadHarness } from './load-harness.ts';
import { loadSessionToolkit, sessionTurns } from './session.ts';

/** What the model received in each call of one turn. */
export interface SessionReport {
  readonly turn: number;
  readonly calls: readonly Pick<ObservedCall, 'system' | 'messages'>[];
}

const [harnessPath = '', directory = '', from, to] = process.argv.slice(2);
const harness = await loadHarness(harnessPath);
const session = await harness.openSession({
  toolkit: await loadSessionToolkit(),
  system: applicationPrompt,
  directory,
  shortens: true,
});
const reports: SessionReport[] = [];
const turns = sessionTurns();
for (const [turn, { user, script }] of turns.entries()) {
  if (turn < Number(from) || turn >= Number(to)) continue;
  const { calls } = await session.say(user, script);
  reports.push({ turn, calls: calls.map(({ system, messages }) => ({ system, messages })) });
  const next = turns[turn + 1]?.decision;
  if (next !== undefined) await session.decide(next);
}
await session.close();
// Some stores keep the process alive after they are closed.
process.stdout.write(`\n${JSON.stringify(reports)}`, () => process.exit());
