// The part of an adapter's contract about skills that end and begin again: never twice, never lost, in call order.

import { type Catalog, createToolkit, loadCatalog, memorySource, type SkillEvent } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness, AdapterRun, AdapterSession, ObservedCall } from './adapter-harness.ts';
import { lostMessages } from './lost-messages.ts';
import { openSession } from './open-session.ts';
import { countIn, done } from './script.ts';

const load = (body: string): Promise<Catalog> =>
  loadCatalog([memorySource({ 'report/SKILL.md': `---\nname: report\ndescription: Reports.\n---\n${body}\n` })]);
const begin = { tool: 'activate_skill', input: { name: 'report' } };
const end = { tool: 'deactivate_skill', input: { name: 'report' } };
const ended = '<skill_inactive name="report" />\nNo longer active: its instructions have left the context.';
const text = expect.stringContaining('\nINSTRUCTIONS\n');
const pointer = expect.stringContaining('Already active: follow it.');

/** Declares the tests of skills that end and begin again. */
export function testEndings(harness: AdapterHarness): void {
  /** Opens a session. `told` collects what happens to the skill, as `TYPE by ACTOR`. */
  const open = async (): Promise<{ readonly session: AdapterSession; readonly told: string[] }> => {
    const told: string[] = [];
    const onEvent = (event: SkillEvent) => {
      if (event.type === 'activated' || event.type === 'deactivated') told.push(`${event.type} by ${event.by}`);
    };
    const toolkit = createToolkit(await load('INSTRUCTIONS'), { tools: { deactivate: true }, onEvent });
    return { told, session: await openSession(harness, { toolkit, shortens: false }) };
  };
  const [byUser, byModel, over] = ['activated by user', 'activated by model', 'deactivated by model'];

  describe(`${harness.framework} skill that ends and begins again`, () => {
    it.each([
      ['begins, ends and begins', 'Hi.', [begin, end, begin], [ended, ended, text], [byModel, over, byModel]],
      ['begins and ends', 'Hi.', [begin, end], [ended, ended], [byModel, over]],
      ['ends and begins', '$report', [end, begin, begin], [ended, text, pointer], [byUser, over, byModel]],
      ['is called for and ends', '$report', [begin, end], [ended, ended], [byUser, over]],
    ])('%s, in one answer as in several', async (_, user, calls, results, events) => {
      for (const script of [[{ calls }], calls.map((call) => ({ calls: [call] }))]) {
        const { session, told } = await open();
        const run = await session.say(user, [...script, done]);
        expect(run.calls.at(-1)?.results).toEqual(results);
        expect(told).toEqual(events);
        const isActive = results.includes(text);
        expect(await session.active()).toMatchObject(isActive ? [{ name: 'report', by: 'model' }] : []);
        const next = await session.say('Go on.', [done]);
        expect(next.calls[0]?.results).toEqual(results);
        expect(countIn(next.calls[0], 'INSTRUCTIONS')).toBe(isActive ? 1 : 0);
      }
    });

    it.each([
      ['a model', 'Again.', [{ calls: [begin] }, done]],
      ['a user', 'Use $report.', [done]],
    ])('changes nothing that the model has read if %s begins it again', async (_, user, script) => {
      for (const ending of ['model', 'code']) {
        const { session } = await open();
        const runs = [await session.say('Go.', [{ calls: [begin] }, { calls: [begin] }, done])];
        if (ending === 'code') await session.decide({ deactivate: ['report'] });
        runs.push(await session.say('Go on.', ending === 'code' ? [done] : [{ calls: [end] }, done]));
        runs.push(await session.say(user, script));
        const calls: readonly (ObservedCall | undefined)[] = runs.map((run: AdapterRun) => run.calls.at(-1));
        expect(calls[2]?.results.slice(0, 2)).toEqual([ended, ended]);
        expect(countIn(calls[2], 'INSTRUCTIONS')).toBe(1);
        for (const call of runs[2]?.calls ?? []) expect(lostMessages(calls[1], call)).toBe(0);
      }
    });

    it('keeps its place and gets its new text if the application begins it as well and then its file changes', async () => {
      let catalog = await load('INSTRUCTIONS');
      const toolkit = createToolkit(() => catalog);
      const session = await openSession(harness, { toolkit, shortens: false });
      await session.say('Go.', [{ calls: [begin] }, done]);
      await session.decide({ activate: ['report'] });
      await session.say('Go on.', [done]);
      catalog = await load('NEW-WORDS');
      for (const user of ['Go on.', 'And on.']) {
        const [call] = (await session.say(user, [done])).calls;
        expect(call?.results).toEqual([expect.stringContaining('NEW-WORDS')]);
        expect(JSON.stringify(call?.messages).match(/INSTRUCTIONS|NEW-WORDS/g)).toEqual(['NEW-WORDS']);
      }
    });

    it.each([
      ['a model', 'Go.', [{ calls: [begin] }]],
      ['a user', '/report', []],
    ])('stays ended if %s began it in a failed turn and a later turn is repeated', async (_, user, calls) => {
      const { session } = await open();
      await session.say(user, calls).catch(() => undefined);
      await session.say('Go on.', [done]);
      await session.decide({ deactivate: ['report'] });
      await session.forget?.(-1);
      const run = await session.say('Go on.', [done]);
      expect(JSON.stringify(run.calls)).not.toContain('INSTRUCTIONS');
      expect(await session.active()).toEqual([]);
    });

    it('keeps its place if a user named it in a failed turn, the model begins it, and the user names it again', async () => {
      const { session } = await open();
      await session.say('/report', []).catch(() => undefined);
      const before = (await session.say('Go on.', [{ calls: [begin] }, done])).calls.at(-1);
      const after = (await session.say('/report', [done])).calls.at(-1);
      expect([countIn(before, 'INSTRUCTIONS'), countIn(after, 'INSTRUCTIONS')]).toEqual([1, 1]);
      expect(lostMessages(before, after)).toBe(0);
      const by = harness.losesFailedRuns ? 'model' : 'user';
      expect(await session.active()).toMatchObject([{ name: 'report', by }]);
    });

    it('is reported once if the model fails after a user named it', async () => {
      const { session, told } = await open();
      await session.say('/report', []).catch(() => undefined);
      await session.say('Go on.', [done]);
      await session.say('Go on.', [done]);
      expect(told).toEqual(harness.losesFailedRuns ? [] : [byUser]);
    });
  });
}
