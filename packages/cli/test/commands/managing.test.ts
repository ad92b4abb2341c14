// `init`, `new`, `remove`, `enable`, `disable` and `open`: what they change on disk, and what they refuse.

import { rmSync } from 'node:fs';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../src/index.ts';
import { binary, makePlace, runProcess, skillText, writeTree } from '../command.ts';

describe('init', () => {
  it('creates the directory of the user, and changes nothing the second time', async () => {
    const { home, skillful } = await makePlace();
    const location = join(home, '.config/skillful/skills');
    const first = await skillful('init', '--json');
    const readme = await readFile(join(location, 'README.md'), 'utf8');
    const second = await skillful('init');
    expect({ ...first, stdout: JSON.parse(first.stdout) }).toEqual({
      code: 0,
      stdout: { ok: true, location },
      stderr: 'Create a skill in it with `skillful new NAME`.\n',
    });
    expect(readme).toContain('SKILL.md');
    expect(second).toEqual({ code: 0, stdout: `The skills directory already exists: ${location}\n`, stderr: '' });
    await rm(join(location, 'README.md'));
    expect([await skillful('init'), await readdir(location)]).toEqual([second, ['README.md']]);
  });

  it('creates the directory of the project at its git root', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '', 'packages/one/readme.md': '' });
    const { stdout } = await skillful('init', '--scope', 'project', '--cwd', 'packages/one', '--json');
    expect(JSON.parse(stdout)).toEqual({ ok: true, location: join(work, '.skillful/skills') });
  });
});

describe('init and new in a project', () => {
  it.each([
    ['.skillful', '../outside'],
    ['.skillful/skills', '../../outside'],
    ['.skillful/skills', '../../nowhere'],
  ])('refuse to write through %s if it is a link to %s', async (link, target) => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '', [link]: { link: target } });
    await writeTree(home, { 'outside/keep.md': '' });
    for (const command of [['init'], ['new', 'abc']]) {
      const { code, stdout, stderr } = await skillful(...command, '--scope', 'project');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        'error: `.skillful/skills` is a link out of the project, so nothing was written. Remove the link, or work in the directory it leads to.\n',
      );
    }
    expect([await readdir(join(home, 'outside')), (await readdir(home)).includes('nowhere')]).toEqual([
      ['keep.md'],
      false,
    ]);
  });

  it('answer with one document if the project cannot be trusted, and name what they created', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '' });
    await writeTree(home, { '.config': 'no directory' });
    const directory = join(work, '.skillful/skills');
    for (const [command, created] of [
      [['init'], directory],
      [['new', 'abc'], join(directory, 'abc/SKILL.md')],
    ] as const) {
      const { code, stdout, stderr } = await skillful(...command, '--scope', 'project', '--json');
      const message = `\`${created}\` is there, but the project could not be trusted: \`${home}/.config/skillful/settings.json\`: Writing to the disk failed: a file is in the way (EEXIST); existing files are unchanged.`;
      expect({ code, stdout: JSON.parse(stdout), stderr }).toEqual({
        code: 1,
        stdout: { ok: false, error: { code: 'write-failed', message } },
        stderr: `error: ${message}\n`,
      });
      await rm(directory, { recursive: true });
    }
  });
});

describe('new', () => {
  it('creates a skill that follows every rule and is listed', async () => {
    const { home, skillful } = await makePlace();
    const location = join(home, '.config/skillful/skills/weekly-report/SKILL.md');
    const description = 'Writes "the report": Use on Fridays.';
    const created = await skillful('new', 'weekly-report', '--description', description, '--json');
    const validated = await skillful('validate', location, '--profile', 'portable');
    const listed = await skillful('list', '--json');
    expect({ code: created.code, output: JSON.parse(created.stdout) }).toEqual({
      code: 0,
      output: { ok: true, location },
    });
    expect(validated.code).toBe(0);
    expect(JSON.parse(listed.stdout).skills).toMatchObject([{ id: 'user:weekly-report', description, location }]);
  });

  it('creates a skill where it is found, also if a variable replaces the directories of the user', async () => {
    const { home, skillfulWith } = await makePlace();
    const variables = { SKILLFUL_SKILLS_DIR: join(home, 'mine') };
    await skillfulWith(variables, 'new', 'weekly-report', '--description', 'Writes the report. Use on Fridays.');
    const { skills } = JSON.parse((await skillfulWith(variables, 'list', '--json')).stdout);
    expect(skills).toMatchObject([{ id: 'user:weekly-report', location: join(home, 'mine/weekly-report/SKILL.md') }]);
  });

  it.each([
    ['user', { client: 'claude' }, {}, 'client'],
    ['user', { client: 'claude', paths: ['.skillful/skills'] }, {}, 'client'],
    ['user', { client: 'claude' }, { SKILLFUL_SKILLS_DIR: '~/.claude/skills' }, undefined],
    ['user', { ancestors: false }, {}, undefined],
    ['project', { client: 'claude' }, {}, 'client'],
    ['project', { client: 'claude', ancestors: false }, {}, 'client'],
    ['project', { ancestors: false }, {}, 'ancestors'],
    ['project', { client: 'claude', paths: ['.skillful/skills'] }, {}, undefined],
    ['project', { client: 'claude', paths: ['.skillful'] }, {}, undefined],
    ['project', { client: 'all' }, {}, undefined],
  ])('says of a new %s skill whether it is found with the configuration %j and the variables %j', async (...row) => {
    const [scope, configuration, variables, option] = row;
    const { home, work, skillfulWith } = await makePlace();
    await writeTree(home, { '.claude/skills/pdf/SKILL.md': skillText('pdf') });
    await writeTree(work, { '.git/HEAD': '', '.skillful/config.json': JSON.stringify(configuration), 'app/a.ts': '' });
    await skillfulWith(variables, 'trust');
    const here = ['--cwd', 'app'];
    const args = ['new', 'report', '--description', 'Writes reports.', '--scope', scope];
    const { stderr } = await skillfulWith(variables, ...args, ...here);
    const said = `It is not found here, because \`${option}\` in \`.skillful/config.json\` leaves out its directory. Change that setting to use it.\n`;
    expect(stderr).toBe(option === undefined ? '' : said);
    expect((await skillfulWith(variables, 'list', ...here)).stdout.includes('report')).toBe(option === undefined);
    expect((await skillfulWith(variables, 'list', '--client', 'skillful')).stdout).toContain('report');
  });

  it('says that a relative path in a variable is used only in a trusted project', async () => {
    const { skillfulWith } = await makePlace();
    const create = (name: string) =>
      skillfulWith({ SKILLFUL_SKILLS_DIR: 'mine' }, 'new', name, '--description', 'Writes reports.');
    const { stderr } = await create('one');
    expect(stderr).toBe(
      'It is not used until you trust this project, because `SKILLFUL_SKILLS_DIR` is a relative path. Run `skillful trust`.\n',
    );
    await skillfulWith({}, 'trust');
    expect((await create('two')).stderr).toBe('');
  });

  it.each(['user', 'project'])(
    'says that a %s skill is off if an earlier one of its name was switched off',
    async (scope) => {
      const { work, skillful } = await makePlace();
      await writeTree(work, { '.git/HEAD': '' });
      const create = () => skillful('new', 'report', '--description', 'Writes reports.', '--scope', scope);
      expect((await create()).stderr).toBe('');
      await skillful('disable', 'report');
      await skillful('remove', 'report', '--scope', scope, '--yes');
      expect((await create()).stderr).toBe(
        `It is switched off, as was an earlier skill of this name. \`skillful enable ${scope}:report\` switches it on.\n`,
      );
    },
  );

  it('says that a skill of the project has the name, so that the new one is not used here', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '', '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    await skillful('trust');
    const location = join(home, '.config/skillful/skills/pdf/SKILL.md');
    expect((await skillful('new', 'pdf', '--description', 'Reads PDFs.')).stderr).toBe(
      [
        `${location} warning: \`pdf\` is shadowed by the skill of the same name at \`${join(work, '.agents/skills/pdf/SKILL.md')}\`. (skill-shadowed)`,
        '  hint: Rename or remove one of the two.\n',
      ].join('\n'),
    );
  });

  it('leaves a gap for the description, which validate rejects', async () => {
    const { home, skillful } = await makePlace();
    const location = join(home, '.config/skillful/skills/x/SKILL.md');
    const created = await skillful('new', 'x');
    const { code, stdout } = await skillful('validate', dirname(location), '--json');
    expect([created.code, created.stderr]).toEqual([
      0,
      `Its description is a TODO: say what the skill does and when to use it. \`skillful validate '${dirname(location)}'\` checks it.\n`,
    ]);
    expect([code, JSON.parse(stdout).skills[0].diagnostics]).toEqual([
      1,
      [expect.objectContaining({ code: 'description-unfinished', severity: 'error', line: 3 })],
    ]);
    expect((await skillful('list')).stdout).toContain('TODO: one sentence');
  });

  it.each([
    ['../escape', 2, 'Try `escape`.'],
    ['Upper Case', 2, 'Try `upper-case`.'],
    ['con', 2, 'no device name such as `con`.'],
    ['taken', 1, 'Choose another name, or remove it first.'],
  ])('refuses %s, says what to do, and creates nothing', async (name, code, remedy) => {
    const { home, skillful } = await makePlace();
    const root = join(home, '.config/skillful/skills');
    await writeTree(root, { 'taken/SKILL.md': skillText('taken') });
    const outcome = await skillful('new', name);
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .+\n$/u);
    expect(outcome.stderr).toContain(` ${remedy}\n`);
    expect([await readdir(root), await readdir(join(home, '.config/skillful'))]).toEqual([['taken'], ['skills']]);
  });
});

describe('remove', () => {
  it('takes no part of a name, whether a broken skill has that name or not', async () => {
    const { home, skillful } = await makePlace();
    const root = join(home, '.config/skillful/skills');
    await writeTree(root, {
      'pdftwo/SKILL.md': skillText('pdftwo'),
      'csv/SKILL.md': 'Broken.',
      'csvs/SKILL.md': skillText('csvs'),
    });
    for (const [command, name] of [
      ['remove', 'pdf'],
      ['remove', 'csv'],
      ['disable', 'pdf'],
      ['enable', 'csv'],
    ] as const) {
      const { code, stdout } = await skillful(command, name);
      expect({ command, name, code, stdout }).toEqual({ command, name, code: 1, stdout: '' });
    }
    expect((await skillful('remove', 'pdf')).stderr).toContain('Did you mean `pdftwo`?');
    expect((await readdir(root)).sort()).toEqual(['csv', 'csvs', 'pdftwo']);
  });

  it('deletes a user skill', async () => {
    const { home, skillful } = await makePlace();
    const root = join(home, '.agents/skills');
    await writeTree(root, {
      'pdf/SKILL.md': skillText('pdf'),
      'pdf/references/a.md': '',
      'other/SKILL.md': skillText('other'),
    });
    const { code, stdout } = await skillful('remove', 'pdf', '--json');
    expect({ code, output: JSON.parse(stdout), left: await readdir(root) }).toEqual({
      code: 0,
      output: { ok: true, location: join(root, 'pdf/SKILL.md') },
      left: ['other'],
    });
  });

  it('asks a person first, and takes only yes for an answer', async () => {
    const { home, work } = await makePlace();
    const root = join(home, '.agents/skills');
    await writeTree(root, { 'pdf/SKILL.md': skillText('pdf'), 'csv/SKILL.md': skillText('csv') });
    const asked: string[] = [];
    const remove = async (answer: string, ...args: readonly string[]) => {
      let stderr = '';
      const ask = async (question: string) => {
        asked.push(question);
        return answer;
      };
      const stream = { write: (chunk: string | Uint8Array) => (stderr += String(chunk)) };
      const io = { stdout: { write: () => true }, stderr: stream, cwd: work, environment: { HOME: home }, ask };
      return [await run(['remove', ...args], io), stderr, await readdir(root)];
    };
    const kept = [1, 'Nothing was removed.\n', ['csv', 'pdf']];
    expect([await remove('', 'pdf'), await remove('no', 'pdf')]).toEqual([kept, kept]);
    expect([await remove('Yes', 'pdf'), await remove('no', 'csv', '--yes')]).toEqual([
      [0, '', ['csv']],
      [0, '', []],
    ]);
    expect(asked).toEqual(Array(3).fill(`Delete ${join(root, 'pdf')} and everything in it? [y/N] `));
  });

  it('deletes nothing behind a link below a root without --force; the root may be a link', async () => {
    const { home, skillful } = await makePlace();
    await writeTree(home, {
      'shared/more/foo/SKILL.md': skillText('foo'),
      'dotfiles/skills/own/SKILL.md': skillText('own'),
      'dotfiles/skills/shared': { link: '../../shared' },
      '.agents/skills': { link: '../dotfiles/skills' },
    });
    const own = await skillful('remove', 'own', '--client', 'crush');
    expect([own.code, own.stderr]).toEqual([0, '']);
    const refused = await skillful('remove', 'foo', '--client', 'crush');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: `foo` is behind the link `shared`, so others may use it. Use `--force` (in code, `force: true`) to delete it.\n',
    });
    expect(await readdir(join(home, 'shared/more'))).toEqual(['foo']);
    const forced = await skillful('remove', 'foo', '--client', 'crush', '--force');
    expect([forced.code, await readdir(join(home, 'shared/more'))]).toEqual([0, []]);
  });

  it('deletes no directory that is more than one skill, and says why', async () => {
    const { home, work, skillful } = await makePlace();
    const root = join(home, '.agents/skills');
    await writeTree(root, { 'SKILL.md': skillText('top'), 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
    await writeTree(work, { 'c/SKILL.md': skillText('c') });
    const outcomes = [
      await skillful('remove', 'top', '--force'),
      await skillful('remove', 'c', '--force', '--root', '.', '--root', 'c'),
      await skillful('remove', 'work', '--force', '--root', '..'),
    ];
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      ...['top', 'c'].map((name) => [
        1,
        `error: \`${name}\` was not removed, because skills are searched in this directory, too. Delete its \`SKILL.md\` and its other files by hand.\n`,
      ]),
      [1, expect.stringContaining('No skill `work`.')],
    ]);
    expect([await readdir(root), await readdir(work)]).toEqual([['SKILL.md', 'a', 'b'], ['c']]);
  });

  it.each([
    ['pdf', '--scope', 'project'],
    ['project:pdf', '--scope', 'project'],
    ['pdf', '--force'],
  ])('deletes a project skill only if asked to: %j', async (name, ...args) => {
    const { work, skillful } = await makePlace();
    const root = join(work, '.agents/skills');
    await writeTree(root, { 'pdf/SKILL.md': skillText('pdf') });
    const refused = await skillful('remove', name, '--trust');
    const kept = await readdir(root);
    const removed = await skillful('remove', name, '--trust', ...args);
    expect([refused.code, refused.stdout, kept, removed.code, await readdir(root)]).toEqual([1, '', ['pdf'], 0, []]);
    expect(refused.stderr).toBe(
      "error: `pdf` is a project skill. Use `--scope project` (in code, `scope: 'project'`) to delete it.\n",
    );
  });
});

describe('disable and enable', () => {
  it('wait for other commands that change the settings, of which there may be many', async () => {
    const { home, skillful } = await makePlace();
    await writeTree(home, {
      '.agents/skills/pdf/SKILL.md': skillText('pdf'),
      '.config/skillful/settings.json.lock': JSON.stringify({ pid: process.pid, host: hostname() }),
    });
    setTimeout(() => rmSync(join(home, '.config/skillful/settings.json.lock')), 2500);
    expect(await skillful('disable', 'pdf')).toMatchObject({ code: 0, stderr: '' });
  });

  it('decide for every later command whether the model gets a skill', async () => {
    const { home, skillful } = await makePlace();
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const observe = async () => {
      const listed = await skillful('list', '--json');
      const told = await skillful('prompt');
      const seen = await skillful('doctor', 'pdf', '--json');
      return [
        JSON.parse(listed.stdout).skills.map(({ enabled }: { enabled: boolean }) => enabled),
        told.stdout.includes('\n- pdf: '),
        seen.code,
        JSON.parse(seen.stdout).skills[0].reason,
      ];
    };
    const disabled = await skillful('disable', 'pdf', '--json');
    const whileOff = await observe();
    const shown = await skillful('show', 'pdf');
    const found = await skillful('search', 'pdf', '--json');
    await skillful('enable', 'user:pdf');
    const location = join(home, '.agents/skills/pdf/SKILL.md');
    expect(JSON.parse(disabled.stdout)).toEqual({ ok: true, location });
    expect(whileOff).toEqual([
      [false],
      false,
      1,
      'It is switched off in your settings. Run `skillful enable user:pdf` to switch it on.',
    ]);
    expect([shown.code, shown.stderr, JSON.parse(found.stdout)]).toEqual([
      0,
      'The model does not get this. It is switched off in your settings. Run `skillful enable user:pdf` to switch it on.\n',
      [],
    ]);
    expect(await observe()).toEqual([[true], true, 0, null]);
  });

  it('decide about a skill of a project in that project only', async () => {
    const { work, skillful } = await makePlace();
    for (const project of ['one', 'two']) {
      await writeTree(work, {
        [`${project}/.git/HEAD`]: '',
        [`${project}/.agents/skills/pdf/SKILL.md`]: skillText('pdf'),
      });
    }
    expect((await skillful('disable', 'project:pdf', '--trust', '--cwd', 'one')).code).toBe(0);
    const enabled = async (project: string) => {
      const { stdout } = await skillful('list', '--json', '--trust', '--cwd', project);
      return JSON.parse(stdout).skills[0].enabled;
    };
    expect([await enabled('one'), await enabled('two')]).toEqual([false, true]);
    const { stdout } = await skillful('doctor', 'pdf', '--json', '--trust', '--cwd', 'one');
    expect(JSON.parse(stdout).skills[0].reason).toBe(
      'It is switched off in your settings. Run `skillful enable project:pdf` to switch it on.',
    );
    expect((await skillful('enable', 'project:pdf', '--trust', '--cwd', 'one')).code).toBe(0);
    expect(await enabled('one')).toBe(true);
  });

  it('take the skill of the given scope', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const { stdout } = await skillful('disable', 'pdf', '--scope', 'user', '--trust', '--json');
    expect(JSON.parse(stdout)).toEqual({ ok: true, location: join(home, '.agents/skills/pdf/SKILL.md') });
  });

  it('distinguish the skills of two plugins, and ask which one is meant', async () => {
    const { home, skillful } = await makePlace();
    const cache = '.claude/plugins/cache/market';
    const ofLint = `${cache}/lint/1.0.0/skills/deploy/SKILL.md`;
    const ofOps = `${cache}/ops/1.0.0/skills/deploy/SKILL.md`;
    await writeTree(home, { [ofLint]: skillText('deploy'), [ofOps]: skillText('deploy') });
    const enabled = async () =>
      JSON.parse((await skillful('list', '--json')).stdout).skills.map((skill: { enabled: boolean }) => skill.enabled);

    for (const name of ['deploy', 'plugin:deploy']) {
      const { code, stdout, stderr } = await skillful('disable', name);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: \`${name}\` could be \`plugin:lint/deploy\` or \`plugin:ops/deploy\`. Use one of these names.\n`,
      });
    }
    const other = await skillful('disable', 'Ops/Deploy', '--json');
    expect([JSON.parse(other.stdout).location, await enabled()]).toEqual([join(home, ofOps), [true]]);
    const winner = await skillful('disable', 'plugin:lint/deploy', '--json');
    expect([JSON.parse(winner.stdout).location, await enabled()]).toEqual([join(home, ofLint), [false]]);
    const doctor = await skillful('doctor', 'lint/deploy');
    expect(doctor.stdout).toContain('`skillful enable plugin:lint/deploy`');
    await skillful('enable', 'LINT:Deploy');
    expect(await enabled()).toEqual([true]);
  });

  it('answer an unknown skill with exit code 1', async () => {
    const { skillful } = await makePlace();
    const { code, stdout } = await skillful('disable', 'weather');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

describe('a stored decision', () => {
  it('trusts the project without --trust', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    await writeTree(home, {
      '.config/skillful/settings.json': JSON.stringify({ trust: { projects: [{ directory: work }] } }),
    });
    const { stdout } = await skillful('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ id: 'project:pdf' }], diagnostics: [] });
  });
});

describe('remove', () => {
  it.each([
    ['process.stdin', 'stderr'],
    ['process.stdin.isTTY = process.stdout', 'stdout'],
  ] as const)('asks a person whose errors go to a file: %s, on %s', async (terminals, shown) => {
    const { home, work } = await makePlace();
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const preload = `--import=data:text/javascript,${encodeURIComponent(`${terminals}.isTTY = true;`)}`;
    const args = ['--conditions=skillful-source', preload, binary, 'remove', 'pdf'];
    const outcome = await runProcess(process.execPath, args, work, { HOME: home });
    expect([outcome.code, outcome[shown]]).toEqual([1, expect.stringContaining('and everything in it? [y/N] ')]);
    expect(await readdir(join(home, '.agents/skills'))).toEqual(['pdf']);
  });
});

describe('open', () => {
  it('does not wait until the file manager is closed', async () => {
    const { home, skillfulWith } = await makePlace();
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    const script = '#!/bin/sh\nwhile [ ! -e "$HOME/close" ]; do sleep 0.1; done\ntouch "$HOME/closed"\n';
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf'), [`bin/${program}`]: script });
    await chmod(join(home, 'bin', program), 0o755);
    const { code } = await skillfulWith({ PATH: `${join(home, 'bin')}:/usr/bin:/bin` }, 'open', 'pdf');
    const isClosed = (await readdir(home)).includes('closed');
    await writeTree(home, { close: '' });
    expect([code, isClosed]).toEqual([0, false]);
    await vi.waitFor(async () => expect(await readdir(home)).toContain('closed'), 10_000);
  });

  it('runs no program of the working directory, even if `PATH` has `.`', async () => {
    const { home, skillfulWith } = await makePlace();
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    const script = '#!/bin/sh\n: > "$HOME/opened"\n';
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf'), [`bin/${program}`]: script });
    await chmod(join(home, 'bin', program), 0o755);
    const { code } = await skillfulWith({ PATH: relative(process.cwd(), join(home, 'bin')) }, 'open', 'pdf');
    expect([code, (await readdir(home)).includes('opened')]).toEqual([1, false]);
  });

  it('says that there is no file manager', async () => {
    const { home, skillfulWith } = await makePlace();
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    const directory = join(home, '.agents/skills/pdf');
    await writeTree(directory, { 'SKILL.md': skillText('pdf') });
    expect(await skillfulWith({ PATH: home }, 'open', 'pdf')).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: \`${program}\` could not open the directory \`${directory}\`. Open it by hand.\n`,
    });
  });

  it('hands the directory of a skill to the file manager', async () => {
    const { home, skillfulWith } = await makePlace();
    const directory = join(home, '.agents/skills/pdf');
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    await writeTree(home, {
      '.agents/skills/pdf/SKILL.md': skillText('pdf'),
      [`bin/${program}`]: '#!/bin/sh\nprintf "%s" "$*" > "$HOME/opened"\n',
    });
    await chmod(join(home, 'bin', program), 0o755);
    const { code, stdout } = await skillfulWith(
      { PATH: `${join(home, 'bin')}:/usr/bin:/bin` },
      'open',
      'pdf',
      '--json',
    );
    expect({ code, output: JSON.parse(stdout), opened: await readFile(join(home, 'opened'), 'utf8') }).toEqual({
      code: 0,
      output: { ok: true, location: directory },
      opened: process.platform === 'darwin' ? `-R ${directory}/SKILL.md` : directory,
    });
  });

  it('opens the directory of a skill that cannot be loaded', async () => {
    const { home, skillfulWith } = await makePlace();
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    await writeTree(home, {
      '.agents/skills/Broken/SKILL.md': 'broken',
      '.agents/skills/twice/SKILL.md': 'broken',
      '.claude/skills/twice/SKILL.md': 'broken',
      '.agents/skills/pdf/SKILL.md': skillText('pdf'),
      '.claude/skills/pdf/SKILL.md': 'broken',
      [`bin/${program}`]: '#!/bin/sh\n',
    });
    await chmod(join(home, 'bin', program), 0o755);
    const open = (...args: string[]) => skillfulWith({ PATH: `${join(home, 'bin')}:/usr/bin:/bin` }, 'open', ...args);
    const location = join(home, '.agents/skills/Broken');
    expect(await open('broken')).toEqual({ code: 0, stdout: `Opened: ${location}\n`, stderr: '' });
    expect((await open('broken', '--scope', 'project')).code).toBe(1);
    expect((await open('user:broken')).code).toBe(0);
    expect((await open('twice')).stderr).toContain('`twice` cannot be loaded');
    expect((await open('pdf')).stdout).toBe(`Opened: ${join(home, '.agents/skills/pdf')}\n`);
  });

  it.skipIf(process.platform === 'win32').each([
    ['darwin', 'open', '-R ~/SKILL.md'],
    ['win32', 'explorer.exe', '~'],
  ] as const)('starts neither a skill nor a program beside it on %s', async (platform, program, opened) => {
    const { home, work, skillfulWith } = await makePlace();
    const directory = join(home, '.agents/skills/pdf.app');
    await writeTree(home, {
      '.agents/skills/pdf.app/SKILL.md': skillText('pdf'),
      [`bin/${program}`]: '#!/bin/sh\nprintf "%s" "$*" > "$HOME/opened"\n',
      [`work/${program}`]: '#!/bin/sh\ntouch "$HOME/stolen"\n',
    });
    for (const place of [join(home, 'bin'), work]) await chmod(join(place, program), 0o755);
    const paths = { darwin: `${join(home, 'bin')}:/usr/bin:/bin`, win32: `${work}:/usr/bin:/bin` };
    const { value } = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { value: platform });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value }));
    const environment = { PATH: paths[platform], SystemRoot: join(home, 'bin') };
    const { code } = await skillfulWith(environment, 'open', 'pdf');
    const arguments_ = await readFile(join(home, 'opened'), 'utf8');
    const isStolen = (await readdir(home)).includes('stolen');
    expect([code, arguments_, isStolen]).toEqual([0, opened.replace('~', directory), false]);
  });
});

describe('commands that change files', () => {
  it.each([
    [['new', 'notes'], 'skills/notes/SKILL.md'],
    [['init'], 'skills/README.md'],
    [['disable', 'pdf'], 'settings.json'],
    [['trust'], 'settings.json'],
  ])('say where they could not write, and why: %j', async (command, path) => {
    const { home, skillful } = await makePlace();
    await writeTree(home, { '.config/skillful': 'In the way.\n', '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const place = join(home, '.config/skillful', path);
    const message = `\`${place}\`: Writing to the disk failed: a file is in the way (EEXIST); existing files are unchanged.`;
    expect(await skillful(...command)).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
  });

  it('name the settings file that they cannot use', async () => {
    const { home, skillful } = await makePlace();
    await writeTree(home, { '.config/skillful/settings.json': '{', '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const path = join(home, '.config/skillful/settings.json');
    const message = `\`${path}\`: The settings file is not valid: it is not JSON. Fix or remove it.`;
    expect(await skillful('disable', 'pdf')).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
  });
});
