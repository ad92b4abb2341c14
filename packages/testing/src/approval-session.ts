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

/** Answers until nothing waits any more; some frameworks ask one after the other. */
export async function answerAll(
  session: AdapterSession,
  asked: AdapterRun,
  decide: (waiting: WaitingCall) => ScriptedAnswer,
  script: readonly ScriptedTurn[],
): Promise<AdapterRun> {
  let run = asked;
  const open = new Set(asked.waiting?.map(({ id }) => id));
  expect(open.size).toBeGreaterThan(0);
  while (run.waiting?.some(({ id }) => open.has(id))) {
    const next = await session.answer?.(run.waiting.map(decide), script);
    if (next === undefined) throw new Error('The session has no `answer`.');
    run = next;
  }
  return run;
}
