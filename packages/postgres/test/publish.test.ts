import { loadCatalog, memorySource, type SkillSource } from '@skillful/core';
import { expect, it } from 'vitest';
import { createSkillDatabase, publishSkills } from '../src/index.ts';
import { skill } from './suites/fixture.ts';

it('holds few large skills in memory at once', async () => {
  const large = new Uint8Array(4 * 1024 * 1024);
  const names = Array.from({ length: 32 }, (_, number) => `skill-${number}`);
  const memory = memorySource(
    Object.assign({}, ...names.map((name) => ({ ...skill(name, 'Is large.'), [`${name}/large.bin`]: 'x' }))),
  );
  let [held, most] = [0, 0];
  const source: SkillSource = {
    ...memory,
    async readFile(entry, path, options) {
      if (path === 'SKILL.md') return memory.readFile(entry, path, options);
      held += large.length;
      most = Math.max(most, held);
      return large;
    },
  };
  const sent = new Set<string>();
  async function query(text: string, values: unknown[] = []) {
    if (text.startsWith('insert into skillful.bundles')) {
      for (const { called } of JSON.parse(String(values[1]))) sent.add(called);
    }
    if (text === 'commit') held = 0;
    return { rows: [] };
  }
  const connection = { query, on: () => {}, removeListener: () => {}, release: () => {} };
  const database = createSkillDatabase({ on: () => {}, connect: async () => connection });
  await publishSkills(database, await loadCatalog([source]));
  expect([sent.size, most <= 12 * large.length]).toEqual([names.length, true]);
});
