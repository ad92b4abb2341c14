// The commands that the README of the package shows, run as it shows them.

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from './command.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const [, block = ''] = /```sh\n(.*?)```/su.exec(readme) ?? [];
const commands = block.split('\n').flatMap((line) => /^skillful\b(.*?)(?: #|$)/u.exec(line)?.[1]?.trim() ?? []);

it.each(commands)('skillful %s', async (command) => {
  const { home, work, skillful } = await makePlace();
  await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
  await writeTree(work, { 'skills/csv/SKILL.md': skillText('csv') });
  const { code, stdout } = await skillful(...command.split(' ').filter((word) => word !== ''));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/pdf|csv|1 skill/u)]);
});

it('are there to be run', () => expect(commands.length).toBeGreaterThan(5));
