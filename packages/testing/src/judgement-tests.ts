// The part of an adapter's contract about the application's tools: they run only if the toolkit does not deny the call.

import { createToolkit, definePolicy, type ReportedEvent, type SkillContext, type ToolCall } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import { type AdapterHarness, lookupResult, publishResult } from './adapter-harness.ts';
import { agree, answerAll, type Change, startApprovals } from './approval-session.ts';
import { callOf, done } from './script.ts';

const searching = callOf('activate_skill', { name: 'search' });
const lookingUp = callOf('lookup', { query: 'q' });
const publishing = callOf('publish', { title: 'Q3' });

/** Options with which only this tool is allowed while the skill is active. */
const allowing = (tool: string) => ({ mode: 'restrict', names: { Lookup: tool } }) as const;

/** Declares the tests of the application's tools. */
export function testJudgements(harness: AdapterHarness): void {
  // The toolkit never asks, so that this also works if an adapter refuses toolkits that ask.
  const start = () => startApprovals(harness, { policy: definePolicy({ default: 'allow' }) });
  const asking = it.runIf(harness.asksPeople !== undefined);
  const skipping = it.runIf(harness.asksPeople !== undefined && harness.cannotSkipQuestions !== true);
  describe(`${harness.framework} tools of the application`, () => {
    asking('run if nothing is said about them, and ask by themselves', async () => {
      const session = await (await start()).open();
      const asked = await session.say('Publish.', [lookingUp, publishing]);
      expect(asked.calls.at(-1)?.results).toEqual([lookupResult]);
      expect(asked.waiting).toMatchObject([{ tool: 'publish', input: { title: 'Q3' } }]);
      const run = await answerAll(session, asked, agree, [done]);
      expect(run.calls.at(-1)?.results).toEqual([lookupResult, publishResult]);
    });

    it('are hidden and do not run while a skill is active that does not allow them', async () => {
      const session = await (await start()).open({ options: { allowedTools: allowing('publish') } });
      const run = await session.say('Look it up.', [searching, lookingUp, done]);
      const offered = run.calls.map(({ tools }) => tools.map(({ name }) => name));
      expect(offered.map((names) => [names.includes('lookup'), names.includes('publish')])).toEqual([
        [true, true],
        [false, true],
        [false, true],
      ]);
      expect(run.calls.at(-1)?.results).toEqual([
        expect.stringContaining('SEARCH-INSTRUCTIONS'),
        expect.not.stringContaining(lookupResult),
      ]);
      expect(run.answer).toBe('Done.');
    });

    it('do not run beside the activation of a skill that does not allow them', async () => {
      const session = await (await start()).open({ options: { allowedTools: allowing('publish') } });
      const calls = [...searching.calls, ...lookingUp.calls];
      const run = await session.say('Look it up.', [{ calls }, done]);
      expect(run.answer).toBe('Done.');
      expect(run.calls.at(-1)?.results).toEqual([
        expect.stringContaining('SEARCH-INSTRUCTIONS'),
        expect.stringContaining('The active skills do not allow this call of `lookup`. They allow `Lookup`.'),
      ]);
    });

    it('do not run beside the end of a skill that does not allow them, but after it', async () => {
      const options = { allowedTools: allowing('publish'), tools: { deactivate: true } } as const;
      const session = await (await start()).open({ options });
      const calls = [{ tool: 'deactivate_skill', input: { name: 'search' } }, ...lookingUp.calls];
      const run = await session.say('Look it up.', [searching, { calls }, lookingUp, done]);
      expect(run.calls.at(-1)?.results.slice(1)).toEqual([
        expect.stringContaining('<skill_inactive name="search" />'),
        expect.not.stringContaining(lookupResult),
        lookupResult,
      ]);
    });

    it('do not run beside the activation of a skill that does not allow them, even if a person agrees', async () => {
      const { open } = await start();
      const options = { allowedTools: allowing('lookup') };
      const first = await open({ options });
      const calls = [...searching.calls, ...publishing.calls];
      const asked = await first.say('Publish.', [{ calls }, done]);
      await first.close();
      const second = await open({ options });
      const run = asked.waiting?.length ? await answerAll(second, asked, agree, [done]) : asked;
      expect(run.answer).toBe('Done.');
      expect(run.calls.at(-1)?.results).toEqual([
        expect.stringContaining('SEARCH-INSTRUCTIONS'),
        expect.stringContaining('The active skills do not allow this call of `publish`. They allow `Lookup`.'),
      ]);
    });

    asking('do not run after a person agreed, if a skill that does not allow them is active by then', async () => {
      const { open } = await start();
      const first = await open();
      const asked = await first.say('Publish.', [publishing]);
      await first.close();
      const second = await open({ options: { allowedTools: allowing('lookup'), preload: ['search'] } });
      const run = await answerAll(second, asked, agree, [done]);
      expect(run).toMatchObject({ answer: 'Done.', waiting: [] });
      expect(run.calls.at(-1)?.results).toEqual([
        expect.stringContaining('The active skills do not allow this call of `publish`.'),
      ]);
    });

    asking(
      'do not run after a person agreed, if the application activated a skill that does not allow them',
      async () => {
        const { open } = await start();
        const first = await open();
        await first.say('Hello.', [done]);
        await first.decide({ activate: ['search'] });
        const asked = await first.say('Publish.', [publishing]);
        await first.close();
        const second = await open({ options: { allowedTools: allowing('lookup') } });
        const run = await answerAll(second, asked, agree, [done]);
        expect(run.calls.at(-1)?.results).toEqual([
          expect.stringContaining('The active skills do not allow this call of `publish`.'),
        ]);
      },
    );

    asking('do not run without the question of the application if a call could not be judged before', async () => {
      const judges = [createToolkit(() => Promise.reject(new Error('gone')), { unlocks: {} })];
      const wrap: Change['wrap'] = (toolkit) => ({
        ...toolkit,
        judgesAll: true,
        judge(call, ...known) {
          const failing = call.name === 'publish' ? judges.pop() : undefined;
          return (failing ?? toolkit).judge(call, ...known);
        },
      });
      const session = await (await start()).open({ wrap });
      const run = await session.say('Publish.', [publishing, done]);
      expect(run.calls.at(-1)?.results).not.toContain(publishResult);
    });

    it('are reported once if they are refused, with their call', async () => {
      const events: ReportedEvent[] = [];
      const options = { allowedTools: allowing('publish'), onEvent: (event: ReportedEvent) => void events.push(event) };
      const session = await (await start()).open({ options });
      const calls = [...searching.calls, { tool: 'lookup', input: { query: 'q' }, id: 'call_7' }];
      await session.say('Look it up.', [{ calls }, done]);
      const refused = events.filter(({ type }) => type === 'refused');
      expect(refused).toMatchObject([{ tool: 'lookup', code: 'tool-restricted', call: 'call_7' }]);
    });

    const preapprove = { mode: 'preapprove', names: { Lookup: 'publish' } } as const;
    skipping('run without a question of the application if an active skill allows them', async () => {
      const approved: ReportedEvent[] = [];
      const onEvent = (event: ReportedEvent) => void (event.type === 'tool-approved' && approved.push(event));
      const session = await (await start()).open({ options: { allowedTools: preapprove, onEvent } });
      const run = await session.say('Publish.', [searching, publishing, done]);
      expect(approved).toMatchObject([{ skill: 'search', tool: 'publish', call: expect.any(String) }]);
      expect(run).toMatchObject({ answer: 'Done.', waiting: [] });
      expect(run.calls.at(-1)?.results.at(-1)).toBe(publishResult);
    });

    asking('wait for the question of the application if no active skill allows them', async () => {
      const session = await (await start()).open({ options: { allowedTools: preapprove } });
      expect((await session.say('Publish.', [publishing])).waiting).toMatchObject([{ tool: 'publish' }]);
    });

    it('are hidden and do not run until a skill unlocks them', async () => {
      const session = await (await start()).open({ options: { unlocks: { search: ['lookup'] } } });
      const run = await session.say('Look it up.', [lookingUp, searching, lookingUp, done]);
      const offered = run.calls.map(({ tools }) => tools.some(({ name }) => name === 'lookup'));
      expect(offered).toEqual([false, false, true, true]);
      expect(run.calls.at(-1)?.results.map((text) => text === lookupResult)).toEqual([false, false, true]);
    });

    it('are judged by all that is known of the call', async () => {
      const seen: [ToolCall, SkillContext][] = [];
      const wrap: Change['wrap'] = (toolkit) => ({
        ...toolkit,
        judgesAll: true,
        judge(call, context = {}, judging) {
          seen.push([call, context]);
          return toolkit.judge(call, context, judging);
        },
      });
      const session = await (await start()).open({ wrap });
      const notes = { tool: 'activate_skill', input: { name: 'notes' } };
      const looking = { tool: 'lookup', input: { query: 'q' }, id: 'call_7' };
      await session.say('Look it up.', [{ calls: [notes, looking] }, done]);
      const [call, context] = seen.findLast(([{ name }]) => name === 'lookup') ?? [];
      expect(call).toEqual({ name: 'lookup', input: { query: 'q' } });
      expect(context?.call).toBe('call_7');
      expect(context?.siblings?.map(({ name, input }) => ({ name, input }))).toEqual([
        { name: 'activate_skill', input: { name: 'notes' } },
        { name: 'lookup', input: { query: 'q' } },
      ]);
      expect(context?.offered).toEqual(
        expect.arrayContaining(['lookup', 'publish', 'activate_skill', 'run_skill_script']),
      );
      expect(context?.messages?.[0]).toMatchObject({ role: 'user', text: 'Look it up.' });
    });
  });
}
