// The part of an adapter's contract about several turns: decisions of the application, the user and the model.

import {
  createToolkit,
  loadCatalog,
  memorySource,
  type SkillEvent,
  type SkillToolkit,
  type ToolkitOptions,
} from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness, AdapterRun, AdapterSession, ScriptedTurn } from './adapter-harness.ts';
import { openSession } from './open-session.ts';
import { countIn, done } from './script.ts';

const bodies = ['REPORT-INSTRUCTIONS', 'NOTES-INSTRUCTIONS'];
const source = memorySource({
  'report/SKILL.md': `---\nname: report\ndescription: Writes reports.\n---\n${bodies[0]}\n`,
  'notes/SKILL.md': `---\nname: notes\ndescription: Writes notes.\n---\n${bodies[1]}\n`,
});
const activation = (name: string, id?: string): ScriptedTurn => ({
  calls: [{ tool: 'activate_skill', input: { name }, ...(id === undefined ? {} : { id }) }],
});

/** Declares the tests of decisions between the turns of a conversation. */
export function testDecisions(harness: AdapterHarness): void {
  describe(`${harness.framework} decisions of the application`, () => {
    const toolkitOf = async (options: ToolkitOptions = {}): Promise<SkillToolkit> =>
      createToolkit(await loadCatalog([source]), options);
    const open = (toolkit: SkillToolkit): Promise<AdapterSession> => openSession(harness, { toolkit, shortens: true });

    it('end a skill at the next model call, until the user, the application or the model activates it again', async () => {
      const events: SkillEvent[] = [];
      const session = await open(await toolkitOf({ onEvent: (event) => events.push(event) }));
      expect(bodiesIn(await session.say('Make a report.', [activation('report'), done]))).toEqual([1, 0]);
      await session.decide({ deactivate: ['report'] });
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([0, 0]);
      expect(bodiesIn(await session.say('Use $report.', [done]))).toEqual([1, 0]);
      await session.decide({ deactivate: ['report'] });
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([0, 0]);
      await session.decide({ activate: ['report', 'notes'] });
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([1, 1]);
      await session.decide({ deactivate: ['notes', 'report'] });
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([0, 0]);
      expect(bodiesIn(await session.say('Use $report.', [done]))).toEqual([1, 0]);
      await session.decide({ deactivate: ['report'] });
      expect(bodiesIn(await session.say('Make a report.', [activation('report'), done]))).toEqual([1, 0]);
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([1, 0]);
      expect(await session.active()).toMatchObject([{ name: 'report', by: 'model' }]);
      const ended = events.flatMap((event) => (event.type === 'deactivated' ? [[event.skill, event.by]] : []));
      expect(ended).toEqual(['report', 'report', 'notes', 'report', 'report'].map((skill) => [skill, 'code']));
    });

    it('end a skill that was preloaded', async () => {
      const session = await open(await toolkitOf({ preload: ['notes'] }));
      expect(bodiesIn(await session.say('Hello.', [done]))).toEqual([0, 1]);
      await session.decide({ deactivate: ['notes'] });
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([0, 0]);
    });

    it('are refused if the catalog has no such skill', async () => {
      const session = await open(await toolkitOf());
      await session.say('Hello.', [done]);
      await expect(session.decide({ deactivate: ['pdf'] })).rejects.toMatchObject({ code: 'skill-unknown' });
      await expect(session.decide({ activate: ['pdf'] })).rejects.toMatchObject({ code: 'skill-unknown' });
    });

    it('work if a server gives every call of a conversation the same id', async () => {
      const session = await open(await toolkitOf());
      await session.say('Make a report.', [activation('report', 'call_0'), done]);
      await session.decide({ deactivate: ['report'] });
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([0, 0]);
      await session.say('Make a report.', [activation('report', 'call_0'), done]);
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([1, 0]);
      await session.say('Write notes.', [activation('notes', 'call_0'), done]);
      expect(bodiesIn(await session.say('Go on.', [done]))).toEqual([1, 1]);
    });
  });
}

/** Counts the instructions of each skill in the latest model call. */
function bodiesIn({ calls }: AdapterRun): readonly number[] {
  return bodies.map((body) => countIn(calls.at(-1), body));
}
