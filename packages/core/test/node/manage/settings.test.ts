import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { chmod, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { resolveSkill } from '../../../src/catalog/resolve.ts';
import { replaceFile } from '../../../src/node/disk/write.ts';
import {
  clientPreset,
  fileSource,
  isTrustedProject,
  loadSettings,
  pluginSource,
  type SettingsOptions,
  setProjectTrusted,
  setSkillEnabled,
  settingsId,
} from '../../../src/node/index.ts';
import { settingsPath, updateSettings } from '../../../src/node/manage/settings.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { cacheSource } from '../../../src/sources/cache.ts';
import { filterSource } from '../../../src/sources/filter.ts';
import { memorySource } from '../../../src/sources/memory.ts';
import { overlaySource } from '../../../src/sources/overlay.ts';
import { isNewFile, realCalls, replaceCalls } from '../disk/replace-calls.ts';
import { finishProgram, startProgram } from '../process.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

interface Home {
  readonly options: SettingsOptions;
  readonly path: string;
  readonly directory: string;
}

async function makeHome(tree: Parameters<typeof writeTree>[1] = {}): Promise<Home> {
  const home = await makeTemporaryDirectory();
  await writeTree(home, tree);
  const options = { home, environment: {} };
  return { options, path: settingsPath(options), directory: join(home, '.config/skillful') };
}

const stored = '.config/skillful/settings.json';

/** The summary of settings in which nothing was decided. */
const untouched = { disabled: [], trustedProjects: [], codes: [], otherEnabled: true };

async function summary({ options }: Home) {
  const { disabled, trustedProjects, diagnostics, isEnabled } = await loadSettings(options);
  return {
    disabled,
    trustedProjects,
    codes: diagnostics.map(({ code }) => code),
    otherEnabled: isEnabled('user:other'),
  };
}

describe('settings', () => {
  it('are empty before anything was decided', async () => {
    expect(await summary(await makeHome())).toEqual(untouched);
  });

  it('remember what is switched off and trusted until that is reverted', async () => {
    const home = await makeHome();
    const project = await makeTemporaryDirectory();
    await setSkillEnabled('user:pdf', false, home.options);
    await setSkillEnabled('project:a', false, home.options);
    await setProjectTrusted(project, true, home.options);
    expect(await summary(home)).toEqual({
      ...untouched,
      disabled: ['project:a', 'user:pdf'],
      trustedProjects: [project],
    });
    await setSkillEnabled('user:pdf', true, home.options);
    await setProjectTrusted(join(project, '.'), false, home.options);
    expect(await summary(home)).toEqual({ ...untouched, disabled: ['project:a'] });
    expect(await readdir(home.directory)).toEqual(['settings.json', 'settings.json.backup']);
  });

  it.each(['pdf', '', 'USER:pdf', 'user:pdf ', 'user:', ':pdf'])(
    'take no decision about %j, which is no id',
    async (id) => {
      const { options } = await makeHome();
      await expect(setSkillEnabled(id, false, options)).rejects.toMatchObject({ code: 'options-invalid' });
      const { isEnabled } = await loadSettings(options);
      expect(() => isEnabled(id)).toThrow(expect.objectContaining({ code: 'options-invalid' }));
    },
  );

  it('take decisions about a scope of your own in any spelling, and about project skills without a directory', async () => {
    const { options } = await makeHome();
    const [skill] = (await loadCatalog([memorySource({ 'pdf/SKILL.md': skillText('pdf') }, { scope: 'project' })]))
      .skills;
    if (skill === undefined) throw new Error('A skill is missing.');
    for (const decided of ['Company:pdf', skill]) {
      await setSkillEnabled(decided, false, options);
      expect((await loadSettings(options)).isEnabled(decided)).toBe(false);
    }
    expect((await loadSettings(options)).disabled).toEqual(['Company:pdf', 'project:pdf']);
  });

  it('trust no project without a path, which would mean the working directory', async () => {
    const home = await makeHome();
    for (const trusted of [true, false])
      for (const project of ['', 'file:///work/app'])
        await expect(setProjectTrusted(project, trusted, home.options)).rejects.toMatchObject({
          code: 'options-invalid',
        });
    expect((await loadSettings(home.options)).trustedProjects).toEqual([]);
  });

  it('remember since when a project is trusted, and what other versions store about trust', async () => {
    const old = {
      theme: 'dark',
      trust: {
        note: 1,
        projects: [
          { directory: '/c' },
          { directory: '/b', note: 2 },
          { directory: '/old' },
          3,
          { directory: '/d', since: 4 },
        ],
      },
    };
    const home = await makeHome({ [stored]: JSON.stringify(old) });
    const before = await loadSettings(home.options);
    await setProjectTrusted('/new', true, home.options);
    const { trust } = await loadSettings(home.options);
    const since = trust.projects.find(({ directory }) => directory === '/new')?.since ?? '';
    await setProjectTrusted('/new', true, home.options);
    await setProjectTrusted('/old', false, home.options);
    expect(before.trust.projects).toEqual([{ directory: '/c' }, { directory: '/b', note: 2 }, { directory: '/old' }]);
    expect(new Date(since).toISOString()).toBe(since);
    expect(JSON.parse(await readFile(home.path, 'utf8'))).toEqual({
      theme: 'dark',
      trust: {
        note: 1,
        projects: [{ directory: '/b', note: 2 }, { directory: '/c' }, { directory: '/new', since }],
      },
    });
  });

  it.each(['before', 'after'])(
    'no longer trust a project that left a link where it was, by its path %s',
    async (path) => {
      const home = await makeHome();
      const directory = await makeTemporaryDirectory();
      await writeTree(directory, { before: { directory: 0o755 } });
      const [before, after] = [join(directory, 'before'), join(directory, 'after')];
      await setProjectTrusted(before, true, home.options);
      renameSync(before, after);
      symlinkSync(after, before);
      expect(await isTrustedProject(after, (await loadSettings(home.options)).trustedProjects)).toBe(true);
      await setProjectTrusted(join(directory, path), false, home.options);
      expect((await loadSettings(home.options)).trustedProjects).toEqual([]);
    },
  );

  it('I18: keep unknown entries, under any name', async () => {
    const text =
      '{"theme":"dark","skills":{"__proto__":{"enabled":false},"constructor":{"enabled":false},"user:a":{"note":1}}}';
    const home = await makeHome({ [stored]: text });
    expect((await summary(home)).disabled).toEqual(['__proto__', 'constructor']);
    await setSkillEnabled('user:a', false, home.options);
    expect(JSON.parse(await readFile(home.path, 'utf8'))).toEqual(
      JSON.parse(
        '{"theme":"dark","skills":{"__proto__":{"enabled":false},"constructor":{"enabled":false},"user:a":{"note":1,"enabled":false}}}',
      ),
    );
    expect(({} as Record<string, unknown>).enabled).toBeUndefined();
  });

  it('I14: fall back to the last valid copy if the file is broken, and say so', async () => {
    const home = await makeHome();
    // Trust does not come back with the copy.
    await setProjectTrusted(home.directory, true, home.options);
    await setSkillEnabled('user:a', false, home.options);
    await writeFile(home.path, '{"skills":{"a":');
    expect(await summary(home)).toEqual({ ...untouched, disabled: ['user:a'], codes: ['settings-invalid'] });
    await setSkillEnabled('user:b', false, home.options);
    expect(await summary(home)).toEqual({ ...untouched, disabled: ['user:a', 'user:b'] });
    const broken = (await readdir(home.directory)).filter((name) => name.endsWith('.broken'));
    expect(await Promise.all(broken.map((name) => readFile(join(home.directory, name), 'utf8')))).toEqual([
      '{"skills":{"a":',
    ]);
  });

  const special = {
    'a pipe': [(path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    'a directory': [(path: string) => mkdirSync(path), 'it is not a regular file'],
    'a device': [(path: string) => symlinkSync('/dev/zero', path), 'it is not a regular file'],
    'a broken link': [(path: string) => symlinkSync('nowhere', path), 'it is a broken link'],
    'too long': [
      (path: string) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 33);
      },
      'it has more than 16777216 bytes',
    ],
  } as const;

  it.runIf(process.platform !== 'win32').each(Object.entries(special))(
    'I14: come from the copy if the file is %s, which is neither read nor replaced',
    async (_, [put, problem]) => {
      const home = await makeHome();
      await setSkillEnabled('user:a', false, home.options);
      await rm(home.path);
      put(home.path);
      const message = `The file is not a valid settings file: ${problem}; no project is trusted, and skills stay off that were off when Skillful last wrote it.`;
      expect((await loadSettings(home.options)).diagnostics).toMatchObject([{ location: home.path, message }]);
      expect(await summary(home)).toMatchObject({ disabled: ['user:a'], otherEnabled: true });
      await expect(setSkillEnabled('user:b', false, home.options)).rejects.toMatchObject({
        code: 'settings-invalid',
        message: `The settings file is not valid: ${problem}. Fix or remove it.`,
      });
      expect(await readdir(home.directory)).toEqual(['settings.json', 'settings.json.backup']);
      await rm(`${home.path}.backup`);
      put(`${home.path}.backup`);
      expect(await summary(home)).toMatchObject({ codes: ['settings-invalid'], otherEnabled: false });
    },
  );

  it.each([
    ['{"skills":["user:a"]}', '`skills` is not an object'],
    ['{"skills":{"user:a":false}}', '`user:a` is not an object'],
    ['{"skills":{"user:a":{"enabled":"false"}}}', '`enabled` of `user:a` is not true or false'],
    ['{"trust":["/"]}', '`trust` is not an object'],
    ['{"trust":{"projects":"/"}}', '`trust.projects` is not a list'],
    ['{"trust":{"skills":[]}}', '`trust.skills` is not an object'],
    ['null', 'expected an object'],
  ])('I14: that contain %s do not switch everything on', async (text, problem) => {
    const home = await makeHome({ [stored]: text });
    const { diagnostics } = await loadSettings(home.options);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `The file is not a valid settings file: ${problem}; no project is trusted, and every skill is switched off.`,
    ]);
    expect((await summary(home)).otherEnabled).toBe(false);
  });

  it('are read through a link, and with a byte order mark', async () => {
    const home = await makeHome({
      'own.json': '\ufeff{"skills":{"user:a":{"enabled":false}}}',
      [stored]: { link: '../../own.json' },
    });
    expect(await summary(home)).toMatchObject({ disabled: ['user:a'], codes: [] });
  });

  it('are never written longer than they could be read', async () => {
    const home = await makeHome({ [stored]: '{"old":1}' });
    const grow = (stored: object) => Object.assign(stored, { note: 'x'.repeat(16 * 1024 * 1024) });
    await expect(updateSettings(home.options, grow)).rejects.toMatchObject({ code: 'settings-invalid' });
    expect(await readFile(home.path, 'utf8')).toBe('{"old":1}');
  });

  it('enable and trust nothing without a valid copy, and are not overwritten', async () => {
    const home = await makeHome({ [stored]: '[1]' });
    expect(await summary(home)).toEqual({ ...untouched, codes: ['settings-invalid'], otherEnabled: false });
    await expect(setSkillEnabled('user:a', true, home.options)).rejects.toMatchObject({ code: 'settings-invalid' });
    expect(await readFile(home.path, 'utf8')).toBe('[1]');
  });

  it('I17: replace a link instead of writing through it', async () => {
    const home = await makeHome({ 'victim.json': '{"x":1}', [stored]: { link: '../../victim.json' } });
    await setSkillEnabled('user:a', false, home.options);
    expect(await readFile(join(home.options.home ?? '', 'victim.json'), 'utf8')).toBe('{"x":1}');
  });
});

describe('the lock', () => {
  it('I15: of a process that is gone is taken over', async () => {
    const home = await makeHome({ [`${stored}.lock`]: JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }) });
    await setSkillEnabled('user:a', false, home.options);
    expect(await readdir(home.directory)).toEqual(['settings.json', 'settings.json.backup']);
  });

  it.each([
    ['before it wrote its name', { [`${stored}.lock`]: '' }],
    [
      'while it took over another lock',
      { [`${stored}.lock`]: JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }), [`${stored}.lock.takeover`]: '' },
    ],
  ])('of a process that was killed %s is taken over before the timeout', async (_, files) => {
    const home = await makeHome(files);
    await setSkillEnabled('user:a', false, home.options);
    expect(await readdir(home.directory)).toEqual(['settings.json', 'settings.json.backup']);
  });

  it.each([
    // In a container the program has the same number each time it is started.
    ['of the process that asks, from before that was started', process.pid, process.uptime() + 60],
    ['of a process that is alive, from before the machine was started', process.ppid, uptime() + 60],
    ['of a process that is alive, from eleven minutes ago', process.ppid, 660],
    ['of another machine, from eleven minutes ago', 'elsewhere', 660],
    ['of another machine, whose clock is eleven minutes ahead', 'elsewhere', -660],
  ])('with the number %s is taken over at once', async (_, holder, age) => {
    const content = holder === 'elsewhere' ? { pid: 1, host: 'elsewhere' } : { pid: holder, host: hostname() };
    const home = await makeHome({ [`${stored}.lock`]: JSON.stringify(content) });
    const then = Date.now() / 1000 - age;
    await utimes(`${home.path}.lock`, then, then);
    await setSkillEnabled('user:a', false, { ...home.options, lockTimeout: 300 });
    expect(await readdir(home.directory)).toEqual(['settings.json', 'settings.json.backup']);
  });

  it('that another process has just taken is waited for', async () => {
    for (const holder of [
      { pid: process.ppid, host: hostname() },
      { pid: 1, host: 'elsewhere' },
    ]) {
      const home = await makeHome({ [`${stored}.lock`]: JSON.stringify(holder) });
      const options = { ...home.options, lockTimeout: 100 };
      await expect(setSkillEnabled('user:a', false, options)).rejects.toMatchObject({ code: 'settings-locked' });
    }
  });

  it('of a live process is given up even in a test with fake timers', async () => {
    const home = await makeHome({ [`${stored}.lock`]: JSON.stringify({ pid: process.ppid, host: hostname() }) });
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const options = { ...home.options, lockTimeout: 100 };
    await expect(setSkillEnabled('user:a', false, options)).rejects.toMatchObject({ code: 'settings-locked' });
  }, 5000);

  it('I16: of a live process is waited for, then given up, and nothing is written', async () => {
    const home = await makeHome({ [`${stored}.lock`]: JSON.stringify({ pid: process.pid, host: hostname() }) });
    await expect(setSkillEnabled('user:a', false, { ...home.options, lockTimeout: 200 })).rejects.toMatchObject({
      code: 'settings-locked',
    });
    expect(await readdir(home.directory)).toEqual(['settings.json.lock']);
    await rm(`${home.path}.lock`);
    await setSkillEnabled('user:a', false, home.options);
  });

  it('I13, L10: keeps every change of several processes', { timeout: 120_000 }, async () => {
    const home = await makeHome();
    const processes = Array.from({ length: 8 }, (_, n) =>
      finishProgram(
        startProgram(new URL('./toggle-program.ts', import.meta.url), home.options.home ?? '', `p${n}`, '20'),
      ),
    );
    await Promise.all(processes);
    expect((await summary(home)).disabled).toHaveLength(160);
  });
});

describe('a skill of a plugin', () => {
  /** Two plugins with a skill of one name, and a user who has it, too. */
  async function makeSameNames(tree: Parameters<typeof writeTree>[1] = {}) {
    const home = await makeHome({
      'plugins/lint/skills/deploy/SKILL.md': skillText('deploy'),
      'plugins/ops/1.0.0/skills/deploy/SKILL.md': skillText('deploy'),
      'skills/deploy/SKILL.md': skillText('deploy'),
      ...tree,
    });
    const at = (path: string) => join(home.options.home ?? '', path);
    const catalog = await loadCatalog([fileSource(at('skills'), { scope: 'user' }), pluginSource(at('plugins'))]);
    const [own, lint, ops] = ['user:deploy', 'lint/deploy', 'plugin:ops/deploy'].map((name) => {
      const resolution = resolveSkill(catalog, name);
      if (resolution.kind !== 'found') throw new Error(`There is no ${name}.`);
      return resolution.skill;
    });
    if (own === undefined || lint === undefined || ops === undefined) throw new Error('A skill is missing.');
    const enabled = async () => [own, lint, ops].map((await loadSettings(home.options)).isEnabled);
    return { home, own, lint, ops, enabled };
  }

  it('is switched off and on without skills of the same name', async () => {
    const { home, own, lint, ops, enabled } = await makeSameNames();
    expect([own, lint, ops].map(settingsId)).toEqual(['user:deploy', 'plugin:lint/deploy', 'plugin:ops/deploy']);
    await setSkillEnabled(ops, false, home.options);
    expect([await enabled(), (await summary(home)).disabled]).toEqual([[true, true, false], ['plugin:ops/deploy']]);
    await setSkillEnabled(lint, false, home.options);
    await setSkillEnabled(ops, true, home.options);
    expect([await enabled(), (await summary(home)).disabled]).toEqual([[true, false, true], ['plugin:lint/deploy']]);
    await setSkillEnabled(settingsId(lint), true, home.options);
    expect(JSON.parse(await readFile(home.path, 'utf8'))).toEqual({ skills: {} });
  });

  it.each(['user', 'project'] as const)('of scope %s stays off if only the case of its name changes', async (scope) => {
    const home = await makeHome({ 'skills/deploy/SKILL.md': skillText('deploy') });
    const root = join(home.options.home ?? '', 'skills');
    const load = async (name: string) => {
      await writeTree(root, { 'deploy/SKILL.md': skillText(name) });
      const [skill] = (await loadCatalog([fileSource(root, { scope })])).skills;
      if (skill === undefined) throw new Error('There is no skill.');
      return skill;
    };
    const isEnabled = async (name: string) => (await loadSettings(home.options)).isEnabled(await load(name));
    await setSkillEnabled(await load('deploy'), false, home.options);
    const names = ['deploy', 'Deploy', 'DEPLOY'];
    for (const name of names) expect(await isEnabled(name)).toBe(false);
    expect(await isEnabled('deployer')).toBe(true);
    await setSkillEnabled(await load('DEPLOY'), true, home.options);
    for (const name of names) expect(await isEnabled(name)).toBe(true);
    expect(JSON.parse(await readFile(home.path, 'utf8'))).toEqual({ skills: {} });
  });

  it('is off if one of two names that look the same is off', async () => {
    const { home, own, enabled } = await makeSameNames({
      [stored]: '{"skills":{"user:DEPLOY":{"enabled":true},"user:Deploy":{"enabled":false,"note":1}}}',
    });
    expect([settingsId(own), ...(await enabled())]).toEqual(['user:deploy', false, true, true]);
    expect((await summary(home)).disabled).toEqual(['user:Deploy']);
    await setSkillEnabled(own, true, home.options);
    expect([...(await enabled()), await readFile(home.path, 'utf8')]).toEqual([
      ...[true, true, true],
      expect.stringMatching(/"user:Deploy":\s*\{\s*"note":\s*1\s*\}/),
    ]);
  });

  it('is not on because one whose name looks the same is, or because a project whose path looks the same is', async () => {
    const { home, lint } = await makeSameNames({
      [stored]: '{"skills":{"plugin:deploy":{"enabled":false},"plugin:LINT/deploy":{"enabled":true}}}',
    });
    expect((await loadSettings(home.options)).isEnabled(lint)).toBe(false);
    await setSkillEnabled('project:pdf in /work/App', false, home.options);
    const { isEnabled } = await loadSettings(home.options);
    expect(['/work/App', '/work/app'].map((path) => isEnabled(`project:PDF in ${path}`))).toEqual([false, true]);
  });

  it('follows a decision about all plugins by qualified name, until there is one about its plugin', async () => {
    const { home, lint, ops, enabled } = await makeSameNames({
      [stored]: '{"skills":{"plugin:deploy":{"enabled":false}}}',
    });
    expect(await enabled()).toEqual([true, false, false]);
    await setSkillEnabled(lint, true, home.options);
    expect([await enabled(), (await summary(home)).disabled]).toEqual([[true, true, false], ['plugin:deploy']]);
    await setSkillEnabled('plugin:deploy', true, home.options);
    expect(await enabled()).toEqual([true, true, true]);
    await setSkillEnabled(lint, false, home.options);
    await setSkillEnabled(lint, true, home.options);
    await setSkillEnabled(ops, false, home.options);
    expect([await enabled(), (await summary(home)).disabled]).toEqual([[true, true, false], ['plugin:ops/deploy']]);
  });
});

describe('a skill of a project', () => {
  /** Two repositories and a directory that is none, each with a skill of one name. */
  async function makeProjects(tree: Parameters<typeof writeTree>[1] = {}) {
    const home = await makeHome({
      'one/.git/HEAD': '',
      'one/.agents/skills/pdf/SKILL.md': skillText('pdf'),
      'one/packages/app/.agents/skills/pdf/SKILL.md': skillText('pdf'),
      'two/.git/HEAD': '',
      'two/.agents/skills/pdf/SKILL.md': skillText('pdf'),
      'none/.agents/skills/pdf/SKILL.md': skillText('pdf'),
      ...tree,
    });
    const top = home.options.home ?? '';
    const skillAt = async (cwd: string, wrap: (source: SkillSource) => SkillSource = (source) => source) => {
      const sources = await clientPreset('agents', { ...home.options, cwd: join(top, cwd), trusted: true });
      const [skill] = (await loadCatalog(sources.map(wrap))).skills;
      if (skill === undefined) throw new Error(`There is no skill in ${cwd}.`);
      return skill;
    };
    const enabled = async () => {
      const { isEnabled } = await loadSettings(home.options);
      const skills = await Promise.all(['one', 'one/packages/app', 'two', 'none'].map((cwd) => skillAt(cwd)));
      return skills.map(isEnabled);
    };
    return { home, top, skillAt, enabled };
  }

  it('stays off if its project was moved and a link to it is in the old place', async () => {
    const { home, top, skillAt } = await makeProjects();
    await setSkillEnabled(await skillAt('one'), false, home.options);
    renameSync(join(top, 'one'), join(top, 'moved'));
    symlinkSync('moved', join(top, 'one'));
    const moved = await skillAt('one');
    expect((await loadSettings(home.options)).isEnabled(moved)).toBe(false);
    await setSkillEnabled(moved, true, home.options);
    expect((await loadSettings(home.options)).isEnabled(moved)).toBe(true);
    expect((await summary(home)).disabled).toEqual([]);
  });

  it('is switched off in its project only, wherever in it the skill is', async () => {
    const { home, top, skillAt, enabled } = await makeProjects();
    await setSkillEnabled(await skillAt('one'), false, home.options);
    expect([await enabled(), (await summary(home)).disabled]).toEqual([
      [false, false, true, true],
      [`project:pdf in ${join(top, 'one')}`],
    ]);
    await setSkillEnabled(await skillAt('none'), false, home.options);
    expect(await enabled()).toEqual([false, false, true, false]);
    await setSkillEnabled(await skillAt('one/packages/app'), true, home.options);
    expect(await enabled()).toEqual([true, true, true, false]);
    await setSkillEnabled(await skillAt('none'), true, home.options);
    expect(JSON.parse(await readFile(home.path, 'utf8'))).toEqual({ skills: {} });
  });

  it('is known behind layers, by the root of a source, and to no other scope', async () => {
    const { home, top, skillAt } = await makeProjects();
    await setSkillEnabled(await skillAt('one'), false, home.options);
    const { isEnabled } = await loadSettings(home.options);
    const layered = await skillAt('one', (source) =>
      cacheSource(
        filterSource(source, () => true),
        { maxAge: 0 },
      ),
    );
    const overlaid = await skillAt('one', (source) => overlaySource(source, memorySource({})));
    const root = join(top, 'one/.agents/skills');
    const [own, user] = await Promise.all(
      (['project', 'user'] as const).map(async (scope) => (await loadCatalog([fileSource(root, { scope })])).skills[0]),
    );
    if (own === undefined || user === undefined) throw new Error('A skill is missing.');
    expect([layered, overlaid, own, user].map(isEnabled)).toEqual([false, false, false, true]);
    await setSkillEnabled(user, false, home.options);
    expect((await summary(home)).disabled).toEqual([`project:pdf in ${join(top, 'one')}`, 'user:pdf']);
  });

  it('belongs to the project that leads to it, even through a link', async () => {
    const { home, top, skillAt } = await makeProjects({
      'three/.git/HEAD': '',
      'three/.agents': { link: '../one/.agents' },
    });
    const sources = await clientPreset('agents', {
      ...{ ...home.options, cwd: join(top, 'three'), trusted: true },
      ...{ paths: ['.agents/skills'], allowExternalPaths: true },
    });
    const [skill] = (await loadCatalog(sources)).skills;
    if (skill === undefined) throw new Error('There is no skill.');
    await setSkillEnabled(skill, false, home.options);
    const { isEnabled } = await loadSettings(home.options);
    expect([skill, await skillAt('one')].map(isEnabled)).toEqual([false, true]);
  });

  it('follows a decision about all projects, until there is one about its project', async () => {
    const { home, skillAt, enabled } = await makeProjects({
      [stored]: '{"skills":{"project:pdf":{"enabled":false}}}',
    });
    expect(await enabled()).toEqual([false, false, false, false]);
    await setSkillEnabled(await skillAt('two'), true, home.options);
    expect(await enabled()).toEqual([false, false, true, false]);
    await setSkillEnabled('project:pdf', true, home.options);
    expect(await enabled()).toEqual([true, true, true, true]);
  });
});

describe('writing', () => {
  const errors = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'];
  const steps = ['create', 'write', 'sync', 'rename'] as const;

  /** Lets every call of a step fail until the test ends, but not the calls for the lock; or only the first call. */
  function fail(step: (typeof steps)[number], errno: string, once = false): void {
    let failures = 0;
    const failIf = <Input extends unknown[], Output>(
      isMeant: (...input: Input) => boolean,
      call: (...input: Input) => Output,
    ) => {
      return (...input: Input): Output => {
        if (!isMeant(...input) || (once && failures > 0)) return call(...input);
        failures += 1;
        throw Object.assign(new Error(`${errno}: injected, '/host/path'`), { code: errno });
      };
    };
    const { openSync, writeSync, fsyncSync, renameSync } = realCalls;
    const calls = {
      create: {
        openSync: failIf((path: string, flags: string | number, _mode?: number) => isNewFile(path, flags), openSync),
      },
      write: { writeSync: failIf((_: number, bytes: Uint8Array) => typeof bytes !== 'string', writeSync) },
      sync: { fsyncSync: failIf((_: number) => true, fsyncSync) },
      rename: { renameSync: failIf((_: string, _to: string) => true, renameSync) },
    };
    replaceCalls(calls[step]);
  }

  it.each(steps.flatMap((step) => errors.map((errno) => [step, errno] as const)))(
    'I12, X10, X12: that fails at %s with %s leaves the old file and nothing else',
    async (step, errno) => {
      const home = await makeHome({ [stored]: '{"old":1}' });
      fail(step, errno);
      const error = await updateSettings(home.options, (now) => Object.assign(now, { changed: 1 })).catch(
        (reason: unknown) => reason as Error,
      );
      expect(error).toMatchObject({ code: 'write-failed', cause: { code: errno } });
      expect(`${error}`).not.toContain('/');
      expect(await readFile(home.path, 'utf8')).toBe('{"old":1}');
      expect(await readdir(home.directory)).toEqual(['settings.json']);
    },
  );

  it.each([
    ['EMFILE', 'too many files are open in this process'],
    ['ENFILE', 'too many files are open on this system'],
  ])('says in words that a process has no descriptors left: %s', async (errno, words) => {
    const home = await makeHome({ [stored]: '{}' });
    fail('create', errno);
    await expect(updateSettings(home.options, () => {})).rejects.toThrow(
      `Writing to the disk failed: ${words} (${errno}); existing files are unchanged.`,
    );
  });

  it('replaces no broken file that it could not put aside', async () => {
    const home = await makeHome({ [stored]: '{"old":', [`${stored}.backup`]: '{}' });
    fail('create', 'ENOSPC', true);
    await expect(updateSettings(home.options, () => {})).rejects.toMatchObject({ code: 'write-failed' });
    expect(await readFile(home.path, 'utf8')).toBe('{"old":');
  });

  it('removes what crashed processes left behind, but nothing that is in use', async () => {
    const leftover = '.settings.json.0123456789ab.tmp';
    const home = await makeHome({
      [`.config/skillful/${leftover}`]: 'ha',
      '.config/skillful/.settings.json.ba9876543210.tmp': 'lf',
    });
    await utimes(join(home.directory, leftover), 0, 0);
    await setSkillEnabled('user:a', false, home.options);
    expect(await readdir(home.directory)).toEqual([
      '.settings.json.ba9876543210.tmp',
      'settings.json',
      'settings.json.backup',
    ]);
  });

  it.runIf(process.platform !== 'win32')('X24: without permission fails with a code, without a path', async () => {
    const home = await makeHome({ [stored]: '{"old":1}' });
    await chmod(home.options.home ?? '', 0o755);
    await chmod(home.directory, 0o555);
    const isSuperuser = process.getuid?.() === 0;
    if (isSuperuser) process.seteuid?.(65_534);
    try {
      for (const options of [home.options, { ...home.options, name: 'nowhere' }]) {
        const error = await setSkillEnabled('user:a', false, options).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: 'write-failed', cause: { code: 'EACCES' } });
        expect(`${error}`).not.toContain(home.options.home);
      }
      expect((await summary(home)).codes).toEqual([]);
    } finally {
      if (isSuperuser) process.seteuid?.(0);
      await chmod(home.directory, 0o755);
    }
    expect(await readFile(home.path, 'utf8')).toBe('{"old":1}');
  });

  it('X11: is complete even if the disk takes one byte at a time', async () => {
    const home = await makeHome({ [stored]: '{}' });
    replaceCalls({
      writeSync: (descriptor: number, bytes: Uint8Array, offset: number) =>
        realCalls.writeSync(descriptor, bytes.subarray(0, offset + 1), offset),
    });
    await replaceFile(home.path, 'äöü complete');
    expect(readFileSync(home.path, 'utf8')).toBe('äöü complete');
  });

  it('X08: waits for a scanner that holds the file', async () => {
    const home = await makeHome({ [stored]: '{}' });
    let refusals = 3;
    replaceCalls({
      renameSync(from: string, to: string) {
        refusals -= 1;
        if (refusals >= 0) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
        realCalls.renameSync(from, to);
      },
    });
    await replaceFile(home.path, 'new');
    expect(readFileSync(home.path, 'utf8')).toBe('new');
  });
});

describe('a catalog that follows the settings', () => {
  it('leaves out what is switched off, at each load, and is the same catalog if nothing changed', async () => {
    const { options } = await makeHome({
      'skills/pdf/SKILL.md': skillText('pdf'),
      'skills/mail/SKILL.md': skillText('mail'),
    });
    const sources = [cacheSource(fileSource(join(options.home ?? '', 'skills'), { scope: 'user' }))];
    const settings = () => loadSettings(options);
    const names = ({ skills }: { readonly skills: readonly { readonly name: string }[] }) =>
      skills.map(({ name }) => name);
    const first = await loadCatalog(sources, { settings });
    await setSkillEnabled('user:pdf', false, options);
    const second = await loadCatalog(sources, { settings, previous: first });
    const third = await loadCatalog(sources, { settings, previous: second });
    expect([names(first), names(second), third === second]).toEqual([['mail', 'pdf'], ['mail'], true]);
    expect(second.diagnostics.map(({ code }) => code)).toEqual(['skill-disabled']);
    const whole = await loadCatalog(sources, { previous: second });
    expect([names(whole), (await loadCatalog(sources, { previous: whole })) === whole]).toEqual([
      ['mail', 'pdf'],
      true,
    ]);
    await writeFile(settingsPath(options), '[]');
    const damaged = await loadCatalog(sources, { settings, previous: whole });
    expect([names(damaged), damaged.diagnostics.map(({ code }) => code)]).toEqual([
      ['mail'],
      ['settings-invalid', 'skill-disabled'],
    ]);
  });
});
