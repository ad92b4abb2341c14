// The part of an adapter's contract about tools of the application: they run only if the toolkit does not deny the call.

import type { Judgement, SkillContext, ToolCall } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import { type AdapterHarness, lookupResult, publishResult, type ScriptedTurn } from './adapter-harness.ts';
import { callOf } from './approval.ts';
import { agree, answerAll, type Change, startApprovals } from './approval-session.ts';

const done: ScriptedTurn = { text: 'Done.' };
const lookingUp = callOf('lookup', { query: 'q' });
const publishing = callOf('publish', { title: 'Q3' });
const denied = { effect: 'deny', text: 'Not while `report` is active.' } as const;

/** Declares the tests of tools that are not the toolkit's own. */
export function testJudgements(harness: AdapterHarness): void {
  describe.runIf(harness.asksPeople)(`${harness.framework} tools of the application`, () => {
    it('run if nothing is said about them, and ask by themselves', async () => {
      const session = await (await startApprovals(harness)).open();
      const asked = await session.say('Publish.', [lookingUp, publishing]);
      expect(asked.calls.at(-1)?.results).toEqual([lookupResult]);
      expect(asked.waiting).toMatchObject([{ tool: 'publish', input: { title: 'Q3' } }]);
      const run = await answerAll(session, asked, agree, [done]);
      expect(run.calls.at(-1)?.results).toEqual([lookupResult, publishResult]);
      await session.close();
    });

    it('do not run if the toolkit denies the call, and the model reads why', async () => {
      const session = await (await startApprovals(harness)).open(judging('lookup', denied));
      const run = await session.say('Look it up.', [lookingUp, done]);
      expect(run).toMatchObject({ answer: 'Done.', waiting: [] });
      expect(run.calls.at(-1)?.results).toEqual([expect.stringContaining(denied.text)]);
      await session.close();
    });

    it('do not run if the toolkit denies the call after a person agreed', async () => {
      const { open } = await startApprovals(harness);
      const first = await open();
      const asked = await first.say('Publish.', [publishing]);
      await first.close();
      const second = await open(judging('publish', denied));
      const run = await answerAll(second, asked, agree, [done]);
      expect(run).toMatchObject({ answer: 'Done.', waiting: [] });
      expect(run.calls.at(-1)?.results).toEqual([expect.stringContaining(denied.text)]);
      await second.close();
    });

    it('run without a question of the application if the toolkit approves the call', async () => {
      const session = await (await startApprovals(harness)).open(judging('publish', { effect: 'approve' }));
      const run = await session.say('Publish.', [publishing, done]);
      expect(run).toMatchObject({ answer: 'Done.', waiting: [] });
      expect(run.calls.at(-1)?.results).toEqual([publishResult]);
      await session.close();
    });

    it('are hidden and do not run if the toolkit withholds them', async () => {
      const hiding: Change = (toolkit) => {
        const { prepare, begin } = toolkit;
        return {
          ...judging('lookup', denied)(toolkit),
          prepare: async (messages, context) => {
            const prepared = await prepare(messages, context);
            return { ...prepared, withheld: [...prepared.withheld, 'lookup'] };
          },
          begin: async (context) => [...(await begin(context)), 'lookup'],
        };
      };
      const session = await (await startApprovals(harness)).open(hiding);
      const run = await session.say('Look it up.', [lookingUp, done]);
      expect(run.calls.map(({ tools }) => tools.some(({ name }) => name === 'lookup'))).toEqual([false, false]);
      expect(run.calls.at(-1)?.results).toHaveLength(1);
      expect(run.calls.at(-1)?.results).not.toContain(lookupResult);
      await session.close();
    });

    it('are judged by all that is known of the call', async () => {
      const seen: [ToolCall, SkillContext][] = [];
      const watching: Change = (toolkit) => ({
        ...toolkit,
        judgesAll: true,
        judge(call, context = {}) {
          seen.push([call, context]);
          return toolkit.judge(call, context);
        },
      });
      const session = await (await startApprovals(harness)).open(watching);
      const notes = { tool: 'activate_skill', input: { name: 'notes' } };
      const looking = { tool: 'lookup', input: { query: 'q' }, id: 'call_7' };
      await session.say('Look it up.', [{ calls: [notes, looking] }, done]);
      const [call, context] = seen.findLast(([{ name }]) => name === 'lookup') ?? [];
      expect(call).toEqual({ name: 'lookup', input: { query: 'q' } });
      expect(context?.call).toBe('call_7');
      expect(context?.siblings).toEqual([{ name: 'activate_skill', input: { name: 'notes' } }]);
      expect(context?.offered).toEqual(
        expect.arrayContaining(['lookup', 'publish', 'activate_skill', 'run_skill_script']),
      );
      expect(context?.messages).toMatchObject([{ role: 'user', text: 'Look it up.' }]);
      await session.close();
    });
  });
}

function judging(tool: string, judgement: Judgement): Change {
  return (toolkit) => ({
    ...toolkit,
    judgesAll: true,
    judge: async (call, context) => (call.name === tool ? judgement : toolkit.judge(call, context)),
  });
}
