// The part of an adapter's contract about what clients can read: results are stored there without instructions and files.

import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness } from './adapter-harness.ts';
import { openSession } from './open-session.ts';
import { callOf, done } from './script.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: D.\n---\n${name}-INSTRUCTIONS\n`;
const source = memorySource({
  'mail/SKILL.md': skill('mail'),
  'report/SKILL.md': skill('report'),
  'report/format.md': 'WORDS-OF-A-FILE',
});

/** Declares the tests of what is stored. */
export function testStored(harness: AdapterHarness): void {
  describe(`${harness.framework} messages that clients can read`, () => {
    it('contain neither instructions nor files, which the model reads in each turn', async () => {
      const toolkit = createToolkit(await loadCatalog([source]));
      const session = await openSession(harness, { toolkit, shortens: false });
      const file = { skill: 'report', path: 'format.md' };
      const script = [callOf('activate_skill', { name: 'report' }), callOf('read_skill_resource', file)];
      for (const [user, turns] of [['/mail', script] as const, ['Go on.', []] as const]) {
        const { calls } = await session.say(user, [...turns, done]);
        const read = JSON.stringify(calls.at(-1)?.messages).match(/(?:mail|report)-INSTRUCTIONS|WORDS-OF-A-FILE/g);
        expect(read).toEqual(['mail-INSTRUCTIONS', 'report-INSTRUCTIONS', 'WORDS-OF-A-FILE']);
        if (session.stored === undefined) continue;
        const stored = await session.stored();
        expect(stored).toContain(user);
        expect(stored).not.toMatch(/-INSTRUCTIONS|WORDS-OF-A-FILE/);
      }
    });
  });
}
