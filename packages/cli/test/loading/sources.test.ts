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

it('uses the skills of npm packages with --packages, and opens nothing in an untrusted project', async () => {
  const { work, skillful } = await makePlace();
  await writeTree(work, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'package.json': '{ "dependencies": { "lint": "1" } }',
    'node_modules/lint/package.json': '{ "name": "lint", "version": "1.2.3" }',
    'node_modules/lint/skills/deploy/SKILL.md': skillText('deploy'),
    'own/deploy/SKILL.md': skillText('deploy'),
    'app/readme.md': '',
  });
  const list = async (...args: readonly string[]) => {
    const { stdout } = await skillful('list', '--json', '--cwd', 'app', ...args);
    const { skills, diagnostics } = JSON.parse(stdout) as {
      skills: { id: string; scope: string; source: string }[];
      diagnostics: { code: string; source: string; location: string }[];
    };
    const problems = diagnostics.map(({ code, source, location }) => [code, source, location]);
    return [skills.map(({ id, scope, source }) => [id, scope, source]), problems];
  };
  const modules = join(work, 'node_modules');
  const root = join(work, 'own');
  const withheld = ['source-untrusted', 'packages', modules];
  expect(await list('--packages')).toEqual([[], [withheld, expect.arrayContaining(['skills-not-found'])]]);
  expect(await list('--packages', '--root', '../own')).toEqual([[['project:deploy', 'project', root]], [withheld]]);
  await skillful('trust');
  const installed = ['package:deploy', 'package', 'npm:lint@1.2.3'];
  expect([await list(), await list('--packages')]).toEqual([
    [[], [expect.arrayContaining(['skills-not-found'])]],
    [[installed], []],
  ]);
  expect(await list('--packages', '--root', '../own')).toEqual([
    [['project:deploy', 'project', root]],
    [['skill-shadowed', 'npm:lint@1.2.3', join(modules, 'lint/skills/deploy/SKILL.md')]],
  ]);
  await writeTree(work, { '.skillful/config.json': '{ "packages": true }' });
  expect(await list()).toEqual([[installed], []]);
  expect(await list('--root', '../own')).toEqual([[['project:deploy', 'project', root]], []]);
  await writeTree(work, { '.skillful/config.json': '{ "packages": false }' });
  expect(await list('--packages')).toEqual([[installed], []]);
  expect((await skillful('show', 'lint/deploy', '--packages')).stdout).toMatch(/^<skill_content name="deploy"/u);
});
