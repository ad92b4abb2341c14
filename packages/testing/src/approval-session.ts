// Opens sessions over the skills that a person is asked about, and answers their questions.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SkillToolkit } from '@skillful/core';
import { expect, onTestFinished } from 'vitest';
import type {
  AdapterHarness,
  AdapterRun,
  AdapterSession,
  AdapterSessionOptions,
  ScriptedAnswer,
  ScriptedTurn,
  WaitingCall,
} from './adapter-harness.ts';
import { createApprovalToolkit, writeSkills } from './approval.ts';

/** Makes another toolkit of one. */
export type Change = (toolkit: SkillToolkit) => SkillToolkit;

/** Skills on a disk, and sessions of one conversation over them. */
export interface ApprovalPlace {
  readonly directory: string;
  open(change?: Change, more?: Partial<AdapterSessionOptions>): Promise<AdapterSession>;
}

/** Writes the skills for one test. */
export async function startApprovals(harness: AdapterHarness): Promise<ApprovalPlace> {
  const directory = await mkdtemp(join(tmpdir(), 'skillful-approval-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeSkills(directory);
  return {
    directory,
    async open(change = (toolkit) => toolkit, more = {}) {
      const toolkit = change(await createApprovalToolkit(directory));
      return harness.openSession({ toolkit, system: 'You are.', directory, shortens: false, ...more });
    },
  };
}

/** Agrees to a call. */
export function agree({ id }: WaitingCall): ScriptedAnswer {
  return { id, approved: true };
}

/** Answers until the model is called again: some frameworks ask about one call after the other. */
export async function answerAll(
  session: AdapterSession,
  asked: AdapterRun,
  decide: (waiting: WaitingCall) => ScriptedAnswer,
  script: readonly ScriptedTurn[],
): Promise<AdapterRun> {
  let waiting = asked.waiting ?? [];
  expect(waiting).not.toEqual([]);
  for (;;) {
    const run = await session.answer?.(waiting.map(decide), script);
    if (run === undefined) throw new Error('The session has no `answer`.');
    if (run.calls.length > 0 || !run.waiting?.length) return run;
    waiting = run.waiting;
  }
}
