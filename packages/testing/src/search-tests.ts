// The part of an adapter's contract about search: skills that the prompt does not list can be found and activated.

import { createToolkit, definePolicy, estimateTokens, loadCatalog, memorySource } from '@skillful/core';
import { expect, it } from 'vitest';
import type { AdapterHarness } from './adapter-harness.ts';
import { converse } from './converse.ts';
import { callOf } from './script.ts';

/** Declares the test of an adapter with more skills than a prompt can list. */
export function testSearch(harness: AdapterHarness): void {
  it(`${harness.framework} finds and activates one of 2,000 skills that the prompt does not list, but none that the policy denies`, async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [
        `chore-${at}/SKILL.md`,
        `---\nname: chore-${at}\ndescription: Does chore number ${at} of the house.\n---\nDo it.\n`,
      ]),
    );
    const zebras = (name: string) => `---\nname: ${name}\ndescription: Feeds hungry zebras.\n---\nGive hay.\n`;
    const source = memorySource({
      ...many,
      'zebras/SKILL.md': zebras('zebras'),
      'zoo-secret/SKILL.md': zebras('zoo-secret'),
    });
    const policy = definePolicy({ rules: [{ effect: 'deny', skill: 'zoo-secret' }] });
    const toolkit = createToolkit(await loadCatalog([source]), { policy, plan: { budget: { tokens: 2_000 } } });
    const run = await converse(harness, toolkit, 'The zebras are hungry.', [
      callOf('find_skills', { query: 'feed the zebras' }),
      callOf('activate_skill', { name: 'zebras' }),
      callOf('find_skills', { query: 'compose an opera' }),
    ]);
    const listed = run.calls[0]?.system.match(/^- chore-/gmu)?.length ?? 0;
    expect(run.calls[0]?.system).toContain(
      `${2_001 - listed} skills are not listed. Find unlisted skills with find_skills.`,
    );
    expect(run.calls[0]?.system).not.toContain('zebras');
    const [found = '', activated = '', none] = run.calls.at(-1)?.results ?? [];
    expect(found).toBe('- zebras: Feeds hungry zebras. (strong: feed, zebras)');
    expect(activated).toContain('Give hay.');
    expect(none).toBe('No skill matches. Try fewer or other words.');
    expect(estimateTokens(run.calls[0]?.system ?? '')).toBeLessThan(2_200);
  });
}
