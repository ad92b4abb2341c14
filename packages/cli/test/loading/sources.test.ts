// Which sources a command reads, and who decides that.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

it.each(['.', '.agents', '.agents/skills'])(
  'reads a project with %s open to everyone only with --trust',
  async (open) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': 'ref: refs/heads/main\n', '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    await chmod(join(work, open), 0o777);
    const list = async (...args: readonly string[]) => {
      const { stdout } = await skillful('list', '--json', ...args);
      const answer = JSON.parse(stdout) as { skills: { name: string }[]; diagnostics: { code: string }[] };
      return [answer.skills.map(({ name }) => name), answer.diagnostics.map(({ code }) => code)];
    };
    expect(await list()).toEqual([[], ['source-untrusted']]);
    expect(await list('--trust')).toEqual([['pdf'], ['root-unsafe']]);
  },
);
