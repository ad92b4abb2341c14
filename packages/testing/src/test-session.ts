// The contract of a long conversation: every model call contains each active skill once, whatever the framework forgets.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdapterRun } from './adapter-harness.ts';
import { reportBody, writeSkills } from './approval.ts';
import { loadHarness } from './load-harness.ts';
import { makeDirectory } from './open-session.ts';
import { runProgram } from './run-program.ts';
import { countIn } from './script.ts';
import { bodies, sessionTurns } from './session.ts';
import type { SessionReport } from './session-program.ts';

/**
 * Declares the tests of a session of fifty turns, which two processes play one after the other.
 *
 * `harness` is the path of a module that exports a `harness`: JavaScript, or TypeScript that Node can run by stripping types.
 */
export function testSession(framework: string, harness: string): void {
  describe(`${framework} session of fifty turns`, () => {
    let directory = '';
    let reports: readonly SessionReport[] = [];

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'skillful-session-'));
      // The first process ends with a decision of the application, which the second one must know.
      reports = [...(await hold(harness, directory, 0, 22)), ...(await hold(harness, directory, 22, 50))];
    }, 120_000);
    afterAll(() => rm(directory, { recursive: true, force: true }));

    it('has the instructions of each active skill exactly once in every model call', () => {
      const turns = sessionTurns();
      const wrong = reports.flatMap(({ turn, calls }) =>
        calls.flatMap((call, index) => {
          const { active = [], activeAtFirst = [] } = turns[turn] ?? {};
          const due = index === 0 ? activeAtFirst : active;
          const found = Object.values(bodies).map((body) => countIn(call, body));
          const expected = Object.keys(bodies).map((skill) => (due.includes(skill) ? 1 : 0));
          const place = `turn ${turn}, call ${index}`;
          return found.join() === expected.join() ? [] : [`${place}: ${found} instead of ${expected}`];
        }),
      );
      expect(wrong).toEqual([]);
      expect(reports.length).toBe(50);
    });

    it('has the same bytes in the system prompt of every model call', () => {
      const texts = reports.flatMap(({ calls }) => calls.map(({ system }) => system));
      expect(new Set(texts).size).toBe(1);
    });

    it('was shortened by the framework, or the rest would prove nothing', () => {
      const calls = reports.flatMap((report) => report.calls);
      const scripted = sessionTurns().flatMap(({ script }) => script);
      expect(calls.length).toBe(scripted.length);
      const results = calls.at(-1)?.messages.filter(({ text }) => text.startsWith('Nothing of importance.'));
      expect(results?.length).toBeLessThan(10);
    });
  });

  describe(`${framework} question to a person`, () => {
    it('is asked by one process, and its answer carried out by another', async ({ skip }) => {
      const { asksPeople } = await loadHarness(harness);
      skip(asksPeople !== true, 'The adapter asks nobody.');
      const directory = await makeDirectory();
      await writeSkills(directory);
      const asked = await runProgram<AdapterRun>('approval-program', [harness, directory]);
      expect(asked.waiting).toMatchObject([{ tool: 'activate_skill', input: { name: 'report' } }]);
      const [waiting] = asked.waiting ?? [];
      const run = await runProgram<AdapterRun>('approval-program', [harness, directory, waiting?.id ?? '']);
      expect(run).toMatchObject({ answer: 'Done.', waiting: [] });
      expect(countIn(run.calls.at(-1), reportBody)).toBe(1);
    }, 60_000);
  });
}

function hold(harness: string, directory: string, from: number, to: number): Promise<readonly SessionReport[]> {
  return runProgram('session-program', [harness, directory, String(from), String(to)]);
}
