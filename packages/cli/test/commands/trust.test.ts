// `skillful trust` and `untrust`, and that what the user has just created is trusted.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, type Place, skillText, writeTree } from '../command.ts';

const listed = async ({ skillful }: Place, ...args: readonly string[]): Promise<readonly string[]> =>
  (JSON.parse((await skillful('list', '--json', ...args)).stdout) as { skills: { id: string }[] }).skills.map(
    ({ id }) => id,
  );

const date = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u);

describe('trust', () => {
  it('uses a project from now on, until untrust', async () => {
    const place = await makePlace();
    const { work, skillful } = place;
    await writeTree(work, {
      'app/.git/HEAD': '',
      'app/packages/one/readme.md': '',
      'app/.agents/skills/pdf/SKILL.md': skillText('pdf'),
    });
    const app = join(work, 'app');
    const before = await listed(place, '--cwd', 'app');
    const trusted = await skillful('trust', 'app/packages/one');
    const after = await listed(place, '--cwd', 'app');
    const json = await skillful('trust', 'app', '--json');
    const text = await skillful('trust', '--list');
    expect([before, trusted, after]).toEqual([
      [],
      {
        code: 0,
        stdout: 'Trusted: app, which contains app/packages/one\n',
        stderr: 'Its skills, instruction files and settings are used from now on; `skillful untrust` ends that.\n',
      },
      ['project:pdf'],
    ]);
    expect(JSON.parse(json.stdout)).toEqual({ trusted: [{ directory: app, since: date }], consents: [] });
    expect(text.stdout).toMatch(/^SINCE {7}PROJECT\n\d{4}-\d{2}-\d{2} {2}app\n$/u);
    expect(await skillful('untrust', 'app/packages/on')).toEqual({
      code: 0,
      stdout: 'Was not trusted: app/packages/on, which does not exist\n',
      stderr: '',
    });
    expect(await listed(place, '--cwd', 'app')).toEqual(['project:pdf']);
    expect(await skillful('untrust', 'app/packages/one')).toEqual({
      code: 0,
      stdout: 'No longer trusted: app, which contains app/packages/one\n',
      stderr: '',
    });
    expect(await skillful('untrust', app)).toEqual({ code: 0, stdout: 'Was not trusted: app\n', stderr: '' });
    expect([await listed(place, '--cwd', 'app'), (await skillful('trust', '--list')).stderr]).toEqual([
      [],
      'No project is trusted. Run `skillful trust` in one to use its skills.\n',
    ]);
  });

  it('ends for a project that is gone, and does not begin for one', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'app/readme.md': '' });
    await skillful('trust', 'app');
    await rm(join(work, 'app'), { recursive: true });
    expect((await skillful('trust', 'app')).stderr).toBe('error: Directory `app` does not exist. Check its path.\n');
    expect(JSON.parse((await skillful('untrust', 'app', '--json')).stdout)).toEqual({ trusted: [], consents: [] });
  });

  it('lists and withdraws what the user agreed to about skills', async () => {
    const { home, skillful } = await makePlace();
    const digest = `sha256:${'a'.repeat(64)}`;
    const agreed = { state: 'agreed', skill: 'user:pdf\u001b[2J', source: 'user', digest, at: Date.UTC(2026, 0, 2) };
    const skills = {
      one: { ...agreed, action: 'run', path: 'scripts/a.sh' },
      two: { ...agreed, action: 'activate', skill: 'user:mail' },
    };
    await writeTree(home, { '.config/skillful/settings.json': JSON.stringify({ trust: { skills } }) });
    const text = await skillful('trust', '--list');
    expect(text.stdout).toMatch(/2026-01-02 {2}run +user:pdf\S+ +scripts\/a\.sh +sha256:aaaaaaaa/u);
    expect(text.stdout).not.toContain('\u001b');
    expect(await skillful('untrust', '--skill', 'mail')).toMatchObject({ stdout: 'Withdrawn: 1 answer about mail\n' });
    expect((await skillful('untrust', '--skill', 'mail')).stdout).toBe('Nothing was agreed to about: mail\n');
    expect(JSON.parse((await skillful('trust', '--list', '--json')).stdout)).toEqual({
      trusted: [],
      consents: [
        {
          ...{ skill: 'user:pdf\u001b[2J', action: 'run', path: 'scripts/a.sh', digest },
          since: '2026-01-02T00:00:00.000Z',
        },
      ],
    });
    expect((await skillful('untrust', '.', '--skill', 'pdf')).code).toBe(2);
  });

  it('takes no directory with --list', async () => {
    const { skillful } = await makePlace();
    expect((await skillful('trust', '.', '--list')).code).toBe(2);
  });
});

describe('what the user creates', () => {
  it.each([[['--scope', 'project']], [[]]])('is listed at once in an empty folder with %j', async (scope) => {
    const place = await makePlace();
    await place.skillful('init', ...scope);
    await place.skillful('new', 'x', ...scope);
    expect(await listed(place)).toEqual([scope.length > 0 ? 'project:x' : 'user:x']);
  });

  it('is listed at once in a project of the user', async () => {
    const place = await makePlace();
    await writeTree(place.work, {
      '.git/HEAD': '',
      'src/index.ts': '',
      'src/linked.ts': { link: 'index.ts' },
      'node_modules/a/skills/b/SKILL.md': '',
      'node_modules/b': { link: 'a' },
    });
    const { stderr } = await place.skillful('new', 'x', '--scope', 'project', '--description', 'X. Use for x.');
    expect([stderr, await listed(place)]).toEqual(['', ['project:x']]);
  });

  it.each([
    ['.claude/skills/evil/SKILL.md'],
    ['packages/deep/.agents/skills/evil/SKILL.md'],
    ['docs/AGENTS.md'],
    ['.claude/CLAUDE.md'],
    ['.skillful/config.json'],
    ['.Skillful/Config.JSON'],
    ['.claude/skills', '../node_modules/evil'],
    ['.agents', 'node_modules/evil'],
    ['.claude/skills/later', '../../node_modules/not-installed-yet'],
    ['.claude/skills/outside', '../../..'],
    ['.claude/skills/itself', 'itself'],
  ])('does not make a project trusted that contains %s', async (path, link?: string) => {
    const place = await makePlace();
    const content = path.endsWith('SKILL.md') ? skillText('evil') : '{}';
    await writeTree(place.work, { '.git/HEAD': '', 'node_modules/evil/skills/evil/SKILL.md': skillText('evil') });
    await writeTree(place.work, { [path]: link === undefined ? content : { link } });
    const created = await place.skillful('new', 'x', '--scope', 'project', '--description', 'X. Use for x.');
    expect([created.code, created.stderr, await listed(place)]).toEqual([
      0,
      'The project also contains skills, instruction files or links that may be from others, so it is not trusted yet. Run `skillful trust` to use them.\n',
      [],
    ]);
    await place.skillful('trust');
    expect(await listed(place)).toContain('project:x');
  });
});
