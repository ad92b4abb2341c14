// Opens sessions with skills that need a person's consent, and answers their questions.

import type { SkillToolkit, ToolkitOptions } from '@skillful/core';
import { expect } from 'vitest';
import type {
  AdapterHarness,
  AdapterRun,
  AdapterSession,
  ScriptedAnswer,
  ScriptedTurn,
  WaitingCall,
} from './adapter-harness.ts';
import { loadApprovalToolkit, writeSkills } from './approval.ts';
import { makeDirectory, openSession } from './open-session.ts';

/** How the toolkit of one session differs from the others. */
export interface Change {
  readonly options?: ToolkitOptions;
  readonly wrap?: (toolkit: SkillToolkit) => SkillToolkit;
}

/** Skills on disk, and sessions of one conversation that use them. */
export interface ApprovalPlace {
  readonly directory: string;
  open(change?: Change, signal?: AbortSignal): Promise<AdapterSession>;
}

/** Writes the skills for one test. `all` are options for all its toolkits. */
export async function startApprovals(harness: AdapterHarness, all?: ToolkitOptions): Promise<ApprovalPlace> {
  const directory = await makeDirectory();
  await writeSkills(directory);
  return {
    directory,
    async open({ options, wrap = (toolkit: SkillToolkit) => toolkit } = {}, signal) {
      const toolkit = wrap(await loadApprovalToolkit(directory, { ...all, ...options }));
      return openSession(harness, { toolkit, directory, shortens: false, signal });
    },
  };
}

/** Returns the answer that agrees to a call. */
export function agree({ id }: WaitingCall): ScriptedAnswer {
  return { id, approved: true };
}

/** Answers until the model is called again, because some frameworks ask about one call after the other. */
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
