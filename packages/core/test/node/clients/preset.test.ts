import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { resolveSkill } from '../../../src/catalog/resolve.ts';
import {
  type ClientLayout,
  type ClientName,
  type ClientPresetOptions,
  clientLayouts,
  clientPreset,
  findProject,
  findUserDirectories,
} from '../../../src/node/index.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

interface Machine {
  readonly top: string;
  readonly repository: string;
  readonly options: ClientPresetOptions & { readonly environment: Record<string, string> };
}

/** A home, and a repository with the working directory two levels down. Paths are given relative to their parent. */
async function makeMachine(skills: readonly string[]): Promise<Machine> {
  const top = await makeTemporaryDirectory();
  const repository = join(top, 'work/repo');
  await mkdir(join(repository, '.git'), { recursive: true });
  await mkdir(join(repository, 'packages/app'), { recursive: true });
  await mkdir(join(top, 'home'), { recursive: true });
  for (const path of skills) {
    await writeTree(top, { [`${path}/SKILL.md`]: skillText(path.split('/').at(-1) ?? '') });
  }
  const environment = { HOME: join(top, 'home') };
  return { top, repository, options: { cwd: join(repository, 'packages/app'), environment, trusted: true } };
}

/** Every skill with its scope, in the order in which sources and skills win. */
async function found({ top }: Machine, client: ClientName, options: ClientPresetOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const source of await clientPreset(client, options)) {
    const { entries } = await source.list();
    lines.push(...entries.map(({ directory }) => `${source.scope} ${directory.slice(top.length + 1)}`));
  }
  return lines;
}

/** The skills of a catalog and then its diagnostics, by location. */
async function summarize({ top }: Machine, sources: readonly SkillSource[]): Promise<readonly string[]> {
  const { skills, diagnostics } = await loadCatalog(sources);
  return [
    ...skills.map(({ directory }) => directory.slice(top.length + 1)),
    ...diagnostics.map(({ code, location }) => `${code} ${location.slice(top.length + 1)}`),
  ];
}

const here = 'work/repo/packages/app';

/** Deeper than any client with a limit searches. */
const deep = Array.from({ length: 40 }, (_, n) => `d${n}`).join('/');

/**
 * What is expected of each client: its rule for name clashes, the skills it finds in the order in which they win, and
 * skills it does not find.
 */
const clients: readonly (readonly [
  Exclude<ClientName, 'all'>,
  ClientLayout['collision'],
  readonly string[],
  readonly string[],
])[] = [
  [
    'skillful',
    'first-wins',
    [
      `project ${here}/.skillful/skills/a`,
      `project ${here}/.agents/skills/a`,
      `project ${here}/.claude/skills/a`,
      `project ${here}/.opencode/skills/a`,
      'project work/repo/.skillful/skills/a',
      'project work/repo/.opencode/skills/a',
      'user home/.config/skillful/skills/a',
      'user home/.agents/skills/a',
      'user home/.claude/skills/a',
      'user home/.config/opencode/skills/a',
      'plugin home/.claude/plugins/cache/market/tool/1.0.0/skills/a',
    ],
    [
      ...['work/.agents/skills/above', `${here}/.gemini/skills/other`],
      ...['1/2/3/4/deeper', '.hidden/other'].map((path) => `home/.agents/skills/${path}`),
    ],
  ],
  [
    'agents',
    'first-wins',
    [`project ${here}/.agents/skills/a`, 'project work/repo/.agents/skills/group/a', 'user home/.agents/skills/a'],
    [`${here}/.claude/skills/other`, 'home/.claude/skills/other'],
  ],
  [
    'claude',
    'first-wins',
    [
      'user home/.claude/skills/a',
      `project ${here}/.claude/skills/a`,
      'project work/repo/.claude/skills/a',
      'plugin home/.claude/plugins/cache/tool/1.0.0/skills/a',
      'synced home/.claude/skills/synced/a',
    ],
    ['work/repo/.agents/skills/other', 'home/.claude/skills/group/deeper', 'home/.claude/skills/synced/group/deeper'],
  ],
  [
    'opencode',
    'last-wins',
    [
      `project ${here}/.opencode/skills/.hidden/a`,
      `project ${here}/.opencode/skills/${deep}/a`,
      `project ${here}/.opencode/skill/a`,
      `project ${here}/.opencode/skill/skills/a`,
      `project ${here}/.claude/skills/a`,
      'project work/repo/.agents/skills/a',
      'user home/.opencode/skills/a',
      'user home/.opencode/skill/a',
      'user home/.config/opencode/skills/a',
      'user home/.config/opencode/skill/a',
      'user home/.agents/skills/a',
      'user home/.claude/skills/a',
    ],
    ['work/repo/.crush/skills/other'],
  ],
  [
    'crush',
    'last-wins',
    [
      `project ${here}/.cursor/skills/a`,
      `project ${here}/.crush/skills/${deep}/a`,
      `project ${here}/.claude/skills/a`,
      `project ${here}/.agents/skills/a`,
      'project work/repo/.crush/skills/a',
      'user home/.config/crush/skills/a',
      'user home/.config/agents/skills/a',
      'user home/.claude/skills/a',
      'user home/.agents/skills/a',
    ],
    ['work/.crush/skills/above', `${here}/.opencode/skills/other`],
  ],
  [
    'codex',
    'both',
    [
      `project ${here}/.agents/skills/1/2/3/4/5/a`,
      'project work/repo/.agents/skills/a',
      'project work/repo/.codex/skills/a',
      'user home/.agents/skills/a',
      'user home/.codex/skills/a',
      'user home/.codex/skills/.system/a',
      'plugin home/.codex/plugins/cache/market/tool/1.0.0/skills/a',
    ],
    [
      ...['work/repo/.claude/skills/other', 'home/.agents/skills/1/2/3/4/5/6/deeper'],
      'home/.agents/skills/.hidden/other',
    ],
  ],
  [
    'gemini',
    'last-wins',
    [
      `project ${here}/.agents/skills/a`,
      `project ${here}/.gemini/skills/a`,
      'user home/.agents/skills/a',
      'user home/.gemini/skills/a',
      'plugin home/.gemini/extensions/tool/skills/a',
    ],
    [`${here}/.gemini/skills/group/deeper`, 'work/repo/.gemini/skills/above', 'work/repo/.agents/skills/above'],
  ],
  [
    'copilot',
    'first-wins',
    [
      `project ${here}/.github/skills/a`,
      `project ${here}/.agents/skills/a`,
      `project ${here}/.claude/skills/${deep}/a`,
      'project work/repo/.github/skills/a',
      'user home/.copilot/skills/a',
      'user home/.agents/skills/a',
      'user home/.claude/skills/a',
      'plugin home/.copilot/installed-plugins/_direct/own/skills/a',
      'plugin home/.copilot/installed-plugins/market/tool/skills/a',
    ],
    ['home/.github/skills/other', 'work/.github/skills/above'],
  ],
  [
    'cursor',
    'undocumented',
    [
      `project ${here}/.cursor/skills/a`,
      `project ${here}/.agents/skills/a`,
      `project ${here}/.claude/skills/a`,
      `project ${here}/.codex/skills/a`,
      `user home/.cursor/skills/${deep}/a`,
      'user home/.agents/skills/a',
      'user home/.claude/skills/a',
      'user home/.codex/skills/a',
    ],
    [`${here}/.opencode/skills/other`, 'work/repo/.cursor/skills/above', 'work/repo/.agents/skills/above'],
  ],
  [
    'goose',
    'first-wins',
    [
      `project ${here}/.agents/skills/${deep}/a`,
      `project ${here}/.goose/skills/.hidden/a`,
      `project ${here}/.claude/skills/a`,
      'user home/.agents/skills/a',
      'user home/.config/goose/skills/a',
      'user home/.claude/skills/a',
      'user home/.config/agents/skills/a',
      'plugin home/.agents/plugins/tool/skills/a',
    ],
    [
      ...[`${here}/.github/skills/other`, 'work/repo/.goose/skills/above', 'work/repo/.agents/skills/above'],
      ...['.git', '.hg', '.svn', 'node_modules'].map((name) => `home/.agents/skills/${name}/other`),
    ],
  ],
];

describe('clientPreset', () => {
  it.each(clients)(
    '%s: finds its directories in the order in which they win, and no others',
    async (client, _, expected, decoys) => {
      const machine = await makeMachine([...expected.map((line) => line.split(' ')[1] ?? ''), ...decoys]);
      expect(await found(machine, client, machine.options)).toEqual(expected);
    },
  );

  it.each(clients)(
    '%s: says of namesakes %s, and offers the winner and reports the others in any case',
    async (client, rule, expected) => {
      const [first = '', ...others] = expected.map((line) => line.split(' ')[1] ?? '');
      const machine = await makeMachine([first, ...others]);
      const { skills, shadowed, diagnostics } = await loadCatalog(await clientPreset(client, machine.options));
      const placeOf = ({ directory }: Skill) => directory.slice(machine.top.length + 1);
      expect(clientLayouts[client].collision).toBe(rule);
      expect([skills.map(placeOf), shadowed.map(({ skill }) => placeOf(skill))]).toEqual([[first], others]);
      expect(diagnostics.map(({ code, location }) => `${code} ${location}`)).toEqual(
        others.map((place) => `skill-shadowed ${join(machine.top, place, 'SKILL.md')}`),
      );
    },
  );

  it('codex: a second skill of one name, which the client would also offer, can be reached by its qualified name', async () => {
    const machine = await makeMachine(['work/repo/.agents/skills/a', 'home/.agents/skills/a']);
    const catalog = await loadCatalog(await clientPreset('codex', machine.options));
    const places = ['a', 'project:a', 'user:a'].map((name) => {
      const resolution = resolveSkill(catalog, name);
      return resolution.kind === 'found' ? resolution.skill.directory.slice(machine.top.length + 1) : resolution.kind;
    });
    expect(places).toEqual(['work/repo/.agents/skills/a', 'work/repo/.agents/skills/a', 'home/.agents/skills/a']);
  });

  it('expects something of every client: a new one is a row of `clients` above', () => {
    expect(clients.map(([client]) => client)).toEqual(Object.keys(clientLayouts));
  });

  it('all: finds the directories of every client, each skill once', async () => {
    const lines = clients.flatMap(([, , expected]) => expected.filter((line) => !/^(?:plugin|synced)/.test(line)));
    const wanted = [...new Set(lines.map((line) => line.split(' ')[1] ?? ''))];
    const machine = await makeMachine(wanted);
    const { skills, shadowed } = await loadCatalog(await clientPreset('all', machine.options));
    const all = [...skills, ...shadowed.map(({ skill }) => skill)].map(({ directory }) => directory);
    expect(all.toSorted()).toEqual(wanted.map((path) => join(machine.top, path)).toSorted());
  });

  it('lists synced skills last for Claude Code, and as user skills in layouts that search deeper', async () => {
    const machine = await makeMachine([
      'home/.claude/skills/synced/a',
      'home/.claude/plugins/cache/m/p/1.0.0/skills/b',
    ]);
    const plugin = 'plugin home/.claude/plugins/cache/m/p/1.0.0/skills/b';
    const at = (client: ClientName) => found(machine, client, machine.options);
    expect(await at('claude')).toEqual([plugin, 'synced home/.claude/skills/synced/a']);
    expect(await at('skillful')).toEqual(['user home/.claude/skills/synced/a', plugin]);
  });

  it.each(clients)(
    '%s: looks above the working directory where it does so itself, unless it is told otherwise',
    async (client, _, expected) => {
      const family = clientLayouts[client].project[0]?.replace('{name}', client) ?? '';
      const [below, above] = [`project ${here}/${family}/a`, `project work/repo/${family}/b`];
      const machine = await makeMachine([below, above].map((line) => line.slice('project '.length)));
      const at = (more: ClientPresetOptions) => found(machine, client, { ...machine.options, ...more });
      const walksUp = expected.some((line) => line.startsWith('project ') && !line.startsWith(`project ${here}/`));
      expect(await at({})).toEqual(walksUp ? [below, above] : [below]);
      expect(await at({ ancestors: true })).toEqual([below, above]);
      expect(await at({ ancestors: false })).toEqual([below]);
      expect(await at({ ancestors: false, stopAt: 'root' })).toEqual([below]);
    },
  );

  it('trusts the whole project or nothing of it, even if only the working directory is searched', async () => {
    const machine = await makeMachine([`${here}/.gemini/skills/a`, 'work/repo/team/b']);
    const options = { ...machine.options, paths: ['../../team'] };
    expect(await found(machine, 'gemini', { ...options, trusted: [machine.repository] })).toEqual([
      `project ${here}/.gemini/skills/a`,
      'project work/repo/team/b',
    ]);
    const { skills } = await loadCatalog(await clientPreset('gemini', { ...options, trusted: false }));
    expect(skills).toEqual([]);
  });

  it('searches at any depth up to 2,000 directories, and then says so', async () => {
    const machine = await makeMachine([]);
    const root = join(machine.top, 'home/.agents/skills');
    await writeTree(root, { [`${'a/'.repeat(1000)}pdf/SKILL.md`]: skillText('pdf') });
    expect((await loadCatalog(await clientPreset('goose', machine.options))).skills.map(({ name }) => name)).toEqual([
      'pdf',
    ]);
    await Promise.all(Array.from({ length: 2000 }, (_, n) => mkdir(join(root, `b${n}`))));
    const { skills, diagnostics } = await loadCatalog(await clientPreset('goose', machine.options));
    expect([skills, diagnostics.map(({ code }) => code)]).toEqual([[], ['scan-truncated']]);
  });

  it('all: adds the directories of every variable, even of one that replaces those of its client', async () => {
    const machine = await makeMachine(['home/.claude/skills/a', 'one/b', 'two/c', 'three/d']);
    const environment = {
      ...machine.options.environment,
      CLAUDE_SKILLS_DIR: join(machine.top, 'one'),
      COPILOT_SKILLS_DIRS: join(machine.top, 'two'),
      CRUSH_SKILLS_DIR: join(machine.top, 'three'),
    };
    expect(await found(machine, 'all', { ...machine.options, environment })).toEqual([
      'user home/.claude/skills/a',
      'user one/b',
      'user three/d',
      'user two/c',
    ]);
  });

  it('puts the directories of your own client first in every layout', async () => {
    const machine = await makeMachine([
      'work/repo/.agents/skills/a',
      'work/repo/.my-client/skills/a',
      'home/.agents/skills/a',
      'home/.config/my-client/skills/a',
    ]);
    expect(await found(machine, 'agents', { ...machine.options, name: 'my-client' })).toEqual([
      'project work/repo/.my-client/skills/a',
      'project work/repo/.agents/skills/a',
      'user home/.config/my-client/skills/a',
      'user home/.agents/skills/a',
    ]);
  });

  it('reverses the order on request', async () => {
    const machine = await makeMachine(['work/repo/.claude/skills/a', 'home/.claude/skills/a']);
    expect(await found(machine, 'claude', { ...machine.options, order: 'project-first' })).toEqual([
      'project work/repo/.claude/skills/a',
      'user home/.claude/skills/a',
    ]);
  });

  it('searches the families that are asked for, in their order, in every directory and for the user', async () => {
    const machine = await makeMachine([
      ...['work/repo/.agents/skills/a', 'work/repo/.claude/skills/a', `${here}/.agents/skills/a`],
      ...['work/repo/.my-client/skills/a', 'work/repo/.opencode/skills/other'],
      ...['home/.agents/skills/a', 'home/.claude/skills/a', 'home/.config/opencode/skills/other'],
    ]);
    const options = { ...machine.options, name: 'my-client', families: ['claude', 'my-client', 'agents'] };
    expect(await found(machine, 'skillful', options)).toEqual([
      `project ${here}/.agents/skills/a`,
      'project work/repo/.claude/skills/a',
      'project work/repo/.my-client/skills/a',
      'project work/repo/.agents/skills/a',
      'user home/.claude/skills/a',
      'user home/.agents/skills/a',
    ]);
    await expect(clientPreset('codex', { families: ['agents', 'claude'] })).rejects.toThrow(
      '`families` has `claude`; expected some of `agents`, `codex`.',
    );
  });

  it('stops at a .git file or directory, and outside a repository at the working directory', async () => {
    const machine = await makeMachine([
      'work/tree/.agents/skills/a',
      'work/.agents/skills/b',
      'work/tree/sub/.agents/skills/c',
    ]);
    await writeFile(join(machine.top, 'work/tree/.git'), 'gitdir: elsewhere\n');
    const at = (path: string, more: ClientPresetOptions = {}) =>
      found(machine, 'agents', { ...machine.options, cwd: join(machine.top, path), ...more });
    expect(await at('work/tree/sub')).toEqual([
      'project work/tree/sub/.agents/skills/c',
      'project work/tree/.agents/skills/a',
    ]);
    expect(await at('work')).toEqual(['project work/.agents/skills/b']);
    expect(await at('work/plain/../')).toEqual(['project work/.agents/skills/b']);
    expect(await at('work/tree/sub', { stopAt: 'root' })).toEqual([
      'project work/tree/sub/.agents/skills/c',
      'project work/tree/.agents/skills/a',
      'project work/.agents/skills/b',
    ]);
  });

  it.each(['nowhere', '.git', '../elsewhere'])('stops at a .git that is a link to %s', async (target) => {
    const machine = await makeMachine([
      'work/tree/.agents/skills/a',
      'work/repo/.agents/skills/b',
      'work/.agents/skills/c',
    ]);
    await mkdir(join(machine.top, 'work/tree/sub'));
    await mkdir(join(machine.top, 'work/.git'));
    await symlink(target, join(machine.top, 'work/tree/.git'));
    const cwd = join(machine.top, 'work/tree/sub');
    expect(findProject(cwd)).toEqual({
      root: join(machine.top, 'work/tree'),
      directories: [cwd, join(machine.top, 'work/tree')],
    });
    expect(await found(machine, 'agents', { ...machine.options, cwd })).toEqual(['project work/tree/.agents/skills/a']);
  });

  it('skips directories above the repository that others can write to', async () => {
    const machine = await makeMachine(['work/.agents/skills/a', '.agents/skills/b']);
    const at = () => found(machine, 'agents', { ...machine.options, stopAt: 'root' });
    expect(await at()).toEqual(['project work/.agents/skills/a', 'project .agents/skills/b']);
    await chmod(join(machine.top, 'work'), 0o777);
    expect(await at()).toEqual(['project .agents/skills/b']);
  });

  it('follows HOME, XDG_CONFIG_HOME and, on Windows, LOCALAPPDATA at each call', async () => {
    const machine = await makeMachine([
      'xdg/skillful/skills/x',
      'local/skillful/skills/l',
      'home/.config/skillful/skills/h',
    ]);
    const { environment } = machine.options;
    const at = (more: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
      found(machine, 'skillful', { ...machine.options, platform, environment: { ...environment, ...more } });
    expect(await at({})).toEqual(['user home/.config/skillful/skills/h']);
    expect(await at({ XDG_CONFIG_HOME: join(machine.top, 'xdg') })).toEqual(['user xdg/skillful/skills/x']);
    expect(await at({ XDG_CONFIG_HOME: 'relative' })).toEqual(['user home/.config/skillful/skills/h']);
    expect(await at({ LOCALAPPDATA: join(machine.top, 'local') }, 'win32')).toEqual(['user local/skillful/skills/l']);
    expect(await at({ HOME: join(machine.top, 'nobody') })).toEqual([]);
  });

  it('lets a variable replace the directories of the user, or add to them', async () => {
    const machine = await makeMachine([
      ...['home/.claude/skills/a', 'home/.agents/skills/b', 'one/c', 'two/d', 'mine, yours: ours/e'],
    ]);
    const at = (client: ClientName, more: Record<string, string>) =>
      found(machine, client, { ...machine.options, environment: { ...machine.options.environment, ...more } });
    const one = join(machine.top, 'one');
    const two = join(machine.top, 'two');
    expect(await at('crush', { CRUSH_SKILLS_DIR: one })).toEqual(['user one/c']);
    expect(await at('skillful', { SKILLFUL_SKILLS_DIR: `${one}:${two}` })).toEqual(['user one/c', 'user two/d']);
    expect(await at('crush', { CRUSH_SKILLS_DIR: join(machine.top, 'mine, yours: ours') })).toEqual([
      'user mine, yours: ours/e',
    ]);
    expect(await at('claude', { CLAUDE_SKILLS_DIR: one })).toEqual(['user home/.claude/skills/a', 'user one/c']);
    expect(await at('skillful', { SKILLFUL_SKILLS_DIR: two, CLAUDE_SKILLS_DIR: one })).toEqual([
      'user two/d',
      'user one/c',
    ]);
    expect(await at('copilot', { COPILOT_SKILLS_DIRS: `${one}, ${two}` })).toEqual([
      'user home/.agents/skills/b',
      'user home/.claude/skills/a',
      'user one/c',
      'user two/d',
    ]);
    expect(await at('codex', { CODEX_HOME: join(machine.top, 'one') })).toEqual(['user home/.agents/skills/b']);
    const environment = { ...machine.options.environment, CRUSH_SKILLS_DIR: two };
    expect(await found(machine, 'crush', { ...machine.options, environment, name: 'mine' })).toEqual(['user two/d']);
  });

  it('follows the variables that move the directories of a client, and no others', async () => {
    const machine = await makeMachine(
      [
        ...['skills/a', 'skills/synced/b', 'plugins/cache/tool/1.0.0/skills/c', 'skill/d', 'config/skills/e'],
        ...['.gemini/skills/f', '.agents/skills/g'],
      ]
        .map((path) => `moved/${path}`)
        .concat('home/.claude/skills/h', 'home/.agents/skills/i'),
    );
    const at = (client: ClientName, variable: string, value = join(machine.top, 'moved')) =>
      found(machine, client, {
        ...machine.options,
        environment: { ...machine.options.environment, [variable]: value },
      });
    const ofClaude = ['user moved/skills/a', 'plugin moved/plugins/cache/tool/1.0.0/skills/c'];
    expect(await at('claude', 'CLAUDE_CONFIG_DIR')).toEqual([...ofClaude, 'synced moved/skills/synced/b']);
    expect(await at('claude', 'CLAUDE_CONFIG_DIR', 'moved')).toEqual(['user home/.claude/skills/h']);
    expect(await at('skillful', 'CLAUDE_CONFIG_DIR')).toEqual([
      'user home/.agents/skills/i',
      'user moved/skills/a',
      'user moved/skills/synced/b',
      'plugin moved/plugins/cache/tool/1.0.0/skills/c',
    ]);
    const usual = ['user home/.agents/skills/i', 'user home/.claude/skills/h'];
    expect(await at('goose', 'CLAUDE_CONFIG_DIR')).toEqual(usual);
    expect(await at('opencode', 'OPENCODE_CONFIG_DIR')).toEqual([
      ...['user moved/skills/a', 'user moved/skills/synced/b', 'user moved/skill/d'],
      ...usual,
    ]);
    expect(await at('copilot', 'COPILOT_HOME')).toEqual([
      ...['user moved/skills/a', 'user moved/skills/synced/b'],
      ...usual,
    ]);
    expect(await at('gemini', 'GEMINI_CLI_HOME')).toEqual([
      'user moved/.agents/skills/g',
      'user moved/.gemini/skills/f',
    ]);
    expect(await at('goose', 'GOOSE_PATH_ROOT')).toEqual([
      'user home/.agents/skills/i',
      'user moved/config/skills/e',
      'user home/.claude/skills/h',
    ]);
  });

  it.each([
    ['linux', 1],
    ['win32', 0],
  ] as const)('trusts skills of an administrator below /etc, except on Windows: %s', async (platform, expected) => {
    const { options } = await makeMachine([]);
    const sources = await clientPreset('codex', { ...options, platform, includeMissing: true });
    expect(sources.filter(({ scope }) => scope === 'admin')).toHaveLength(expected);
  });

  it('finds what OpenCode, Crush and Goose keep on Windows, which is not in LOCALAPPDATA', async () => {
    const machine = await makeMachine(
      [
        ...['.config/opencode/skills/a', '.config/crush/skills/b', '.config/agents/skills/c'],
        ...['AppData/Local/crush/skills/d', 'AppData/Roaming/Block/goose/config/skills/e'],
        'roaming/Block/goose/config/skills/f',
      ].map((path) => `home/${path}`),
    );
    const at = (client: ClientName, variables = {}) => {
      const environment = { ...machine.options.environment, ...variables };
      return found(machine, client, { ...machine.options, environment, platform: 'win32' });
    };
    expect(await at('opencode')).toEqual(['user home/.config/opencode/skills/a']);
    expect(await at('skillful')).toEqual(['user home/.config/opencode/skills/a']);
    expect(await at('crush')).toEqual([
      'user home/AppData/Local/crush/skills/d',
      'user home/.config/crush/skills/b',
      'user home/.config/agents/skills/c',
    ]);
    expect(await at('goose')).toEqual([
      'user home/AppData/Roaming/Block/goose/config/skills/e',
      'user home/.config/agents/skills/c',
    ]);
    expect(await at('goose', { APPDATA: join(machine.top, 'home/roaming') })).toEqual([
      'user home/roaming/Block/goose/config/skills/f',
      'user home/.config/agents/skills/c',
    ]);
  });

  it('trusts a relative path in a variable only if the project is trusted, because it leads into any project', async () => {
    const machine = await makeMachine([`${here}/mine/a`, `${here}/codex/skills/b`, 'home/shared/c', 'other/d']);
    const at = async (trusted: boolean) => {
      const variables = { CLAUDE_SKILLS_DIR: `mine:~/shared:${join(machine.top, 'other')}`, CODEX_HOME: 'codex' };
      const environment = { ...machine.options.environment, ...variables };
      const options = { ...machine.options, environment, trusted };
      const { skills, diagnostics } = await loadCatalog([
        ...(await clientPreset('claude', options)),
        ...(await clientPreset('codex', options)),
      ]);
      return [skills.map(({ name }) => name), diagnostics.map(({ code }) => code)];
    };
    expect(await at(false)).toEqual([['c', 'd'], ['source-untrusted']]);
    expect(await at(true)).toEqual([['a', 'c', 'd'], []]);
  });

  it('accepts configured paths: relative, absolute and with ~, each real directory once', async () => {
    const machine = await makeMachine([`${here}/mine/a`, 'home/shared/b']);
    await symlink(join(machine.top, here, 'mine'), join(machine.top, here, 'alias'));
    const paths = ['mine', './mine/', join(machine.top, here, 'mine'), 'alias', '~/shared'];
    expect(await found(machine, 'agents', { ...machine.options, paths, allowExternalPaths: true })).toEqual([
      `project ${here}/mine/a`,
      'project home/shared/b',
    ]);
  });

  it('names the sources of configured paths in the project by relative paths, so that stored consents count on each machine', async () => {
    const machine = await makeMachine([`${here}/mine/a`]);
    await symlink(machine.repository, join(machine.top, 'work/link'));
    const paths = ['mine', '../..', machine.top];
    const ids = async (cwd: string) =>
      (await clientPreset('agents', { ...machine.options, paths, cwd })).map(({ id }) => id);
    expect(await ids(join(machine.top, here))).toEqual([
      `project:packages/app/mine`,
      'project:',
      `project:${machine.top}`,
    ]);
    expect(await ids(join(machine.top, 'work/link/packages/app'))).toEqual([
      'project:../link/packages/app/mine',
      'project:../link',
      `project:${machine.top}`,
    ]);
  });

  it('reports a configured path that does not exist, such as a misspelt one', async () => {
    const machine = await makeMachine([`${here}/mine/a`]);
    const sources = await clientPreset('agents', { ...machine.options, paths: ['mine', 'mnie'] });
    const { skills, diagnostics } = await loadCatalog(sources);
    expect([skills.length, diagnostics.map(({ code, location }) => [code, location])]).toEqual([
      1,
      [['root-missing', join(machine.top, here, 'mnie')]],
    ]);
  });

  it('refuses configured paths outside the project, by real path, and says so', async () => {
    const machine = await makeMachine([`${here}/mine/a`, 'home/shared/b', 'work/repository/c']);
    await symlink(join(machine.top, 'home/shared'), join(machine.top, here, 'link'));
    const paths = ['mine', '~/shared', 'link', '../../../repository'];
    const sources = await clientPreset('agents', { ...machine.options, paths });
    const listings = await Promise.all(sources.map((source) => source.list()));
    expect(listings.map(({ entries, diagnostics }) => [entries.length, diagnostics.map(({ code }) => code)])).toEqual([
      [1, []],
      [0, ['path-external']],
      [0, ['path-external']],
    ]);
  });

  it('loads all others beside a configured path that the system cannot take', async () => {
    const machine = await makeMachine([`${here}/mine/a`]);
    const paths = ['\0', 'x'.repeat(300), 'mine'];
    const { skills, diagnostics } = await loadCatalog(await clientPreset('agents', { ...machine.options, paths }));
    expect([skills.map(({ name }) => name), diagnostics.map(({ code }) => code)]).toEqual([
      ['a'],
      ['source-failed', 'root-unreadable'],
    ]);
  });

  it('refuses a configured path whose child `skills` is a link out of the project', async () => {
    const machine = await makeMachine(['home/shared/b']);
    await writeTree(machine.top, { [`${here}/tools/skills`]: { link: join(machine.top, 'home/shared') } });
    const { skills, diagnostics } = await loadCatalog(
      await clientPreset('agents', { ...machine.options, paths: ['tools'] }),
    );
    expect([skills, diagnostics.map(({ code }) => code)]).toEqual([[], ['path-external']]);
  });

  it('judges a configured path again when it is opened, and every link in it', async () => {
    const machine = await makeMachine([`${here}/mine/a`, 'home/shared/b']);
    await writeTree(machine.top, { [`${here}/mine/shared`]: { link: join(machine.top, 'home/shared') } });
    const sources = await clientPreset('agents', { ...machine.options, paths: ['mine'] });
    expect(await summarize(machine, sources)).toEqual([`${here}/mine/a`, `path-external ${here}/mine/shared`]);
    await rename(join(machine.top, here, 'mine'), join(machine.top, here, 'old'));
    await writeTree(machine.top, { [`${here}/mine`]: { link: join(machine.top, 'home/shared') } });
    expect(await summarize(machine, sources)).toEqual([`path-external ${here}/mine`]);
  });

  it.each(['skills', 'skills/team', 'skills/b'])(
    'says that skills of a trusted project are outside of it: .agents/%s is a link',
    async (link) => {
      const machine = await makeMachine(['elsewhere/b']);
      const target = link === 'skills/b' ? 'elsewhere/b' : 'elsewhere';
      await writeTree(machine.top, { [`work/repo/.agents/${link}`]: { link: join(machine.top, target) } });
      const skill = link === 'skills/b' ? link : `${link}/b`;
      expect(await summarize(machine, await clientPreset('agents', machine.options))).toEqual([
        `work/repo/.agents/${skill}`,
        `root-external work/repo/.agents/${link}`,
      ]);
      const none = await clientPreset('agents', { ...machine.options, followSymlinks: false });
      expect(await summarize(machine, none)).toEqual(
        link === 'skills/team'
          ? ['skills-not-found work/repo/.agents/skills']
          : [`work/repo/.agents/${skill}`, `root-external work/repo/.agents/${link}`],
      );
    },
  );

  it('says nothing about a link that stays in the project, and about links of the user', async () => {
    const machine = await makeMachine(['work/repo/tools/b', 'elsewhere/c']);
    await writeTree(machine.top, {
      'work/repo/.agents/skills/team': { link: '../../tools' },
      'home/.agents/skills/mine': { link: join(machine.top, 'elsewhere') },
    });
    expect(await summarize(machine, await clientPreset('agents', machine.options))).toEqual([
      'work/repo/.agents/skills/team/b',
      'home/.agents/skills/mine/c',
    ]);
  });

  it.runIf(process.platform !== 'win32')(
    'withholds what a link of a project leads to if everyone can write there',
    async () => {
      const machine = await makeMachine(['elsewhere/b']);
      await chmod(join(machine.top, 'elsewhere'), 0o777);
      await writeTree(machine.top, { 'work/repo/.agents/skills/team': { link: join(machine.top, 'elsewhere') } });
      expect(await summarize(machine, await clientPreset('agents', machine.options))).toEqual([
        'root-refused work/repo/.agents/skills/team',
      ]);
    },
  );

  it('reports a directory that is a broken link, but not a missing one', async () => {
    const machine = await makeMachine([]);
    await writeTree(machine.top, {
      'home/.agents/skills': { link: 'gone' },
      'home/.claude/skills': { link: 'skills' },
      'home/.config/skillful': 'a file',
    });
    const { diagnostics } = await loadCatalog(await clientPreset('skillful', machine.options));
    expect(diagnostics.map(({ code, location }) => `${code} ${location.slice(machine.top.length + 1)}`)).toEqual([
      'skill-broken-link home/.agents/skills',
      'skill-broken-link home/.claude/skills',
    ]);
  });

  it('trusts a project by canonical path only', async () => {
    const machine = await makeMachine(['work/repo/.agents/skills/a', 'home/.agents/skills/b']);
    await writeTree(machine.top, {
      good: { directory: 0o755 },
      'link-to-good': { link: 'good' },
      'link-to-repo': { link: 'work/repo' },
    });
    await writeTree(machine.repository, {
      '.git/commondir': join(machine.top, 'good'),
      '.agents/settings.json': '{"trusted":true}',
    });
    const start = process.cwd();
    const trustOf = async (trusted: ClientPresetOptions['trusted'], cwd = machine.repository) =>
      (await clientPreset('agents', { ...machine.options, trusted, cwd })).map(
        (source) => `${source.scope} ${source.trusted}`,
      );
    expect(await trustOf(undefined)).toEqual(['project false', 'user true']);
    expect(await trustOf([join(machine.top, 'link-to-good'), join(machine.top, 'work')])).toEqual([
      'project false',
      'user true',
    ]);
    process.chdir(machine.repository);
    onTestFinished(() => process.chdir(start));
    expect(await trustOf(['', '.'])).toEqual(['project false', 'user true']);
    expect(await trustOf([join(machine.top, 'link-to-repo')])).toEqual(['project true', 'user true']);
    expect(await trustOf((path) => path === machine.repository, join(machine.top, 'link-to-repo'))).toEqual([
      'project true',
      'user true',
    ]);
  });

  it('keeps the user scope for the user’s directories even if the project is the home directory', async () => {
    const machine = await makeMachine(['home/.agents/skills/a']);
    await symlink(join(machine.top, 'home'), join(machine.top, 'link'));
    for (const home of ['home', 'link']) {
      const options = { environment: { HOME: join(machine.top, home) }, cwd: join(machine.top, 'home'), trusted: true };
      expect(await found(machine, 'agents', options)).toEqual([`user ${home}/.agents/skills/a`]);
    }
  });

  it('searches a directory of a client itself, even if it has a child `skills`', async () => {
    const machine = await makeMachine(['home/.opencode/skill/a', 'home/.opencode/skill/skills/b']);
    expect(await found(machine, 'opencode', machine.options)).toEqual([
      'user home/.opencode/skill/a',
      'user home/.opencode/skill/skills/b',
    ]);
  });

  it('refuses relative paths of skills that ship with the application, because they would lead into any project', async () => {
    const machine = await makeMachine([`${here}/skills/a`, 'work/repo/skills/b', 'home/app/c']);
    for (const path of ['skills', './skills', '', '~other/skills']) {
      const loading = clientPreset('agents', { ...machine.options, trusted: false, builtin: [path] });
      const message = `\`builtin\` has \`${path}\`; expected absolute paths, such as \`join(import.meta.dirname, 'skills')\`.`;
      await expect(loading).rejects.toMatchObject({ code: 'options-invalid', message });
    }
    const builtin = ['~/app', join(machine.top, 'home/app')];
    expect(await found(machine, 'agents', { ...machine.options, builtin })).toEqual(['builtin home/app/c']);
  });

  it('lets the skills of an administrator win if the client does', async () => {
    const managed = 'programs/ClaudeCode/.claude/skills/a';
    const machine = await makeMachine([managed, 'home/.claude/skills/b', 'work/repo/.claude/skills/c']);
    const environment = { ...machine.options.environment, ProgramFiles: join(machine.top, 'programs') };
    const options = { ...machine.options, environment, platform: 'win32' } as const;
    const [byMachine, byUser, byProject] = [
      `admin ${managed}`,
      'user home/.claude/skills/b',
      'project work/repo/.claude/skills/c',
    ];
    expect(await found(machine, 'claude', options)).toEqual([byMachine, byUser, byProject]);
    expect(await found(machine, 'claude', { ...options, order: 'project-first' })).toEqual([
      byProject,
      byUser,
      byMachine,
    ]);
    expect(findUserDirectories({ environment, platform: 'darwin' }).managed).toBe(
      '/Library/Application Support/ClaudeCode',
    );
    expect(findUserDirectories({ environment, platform: 'linux' }).managed).toBe('/etc/claude-code');
  });

  it('reads a SKILL.md that is a link only for clients that do', async () => {
    const machine = await makeMachine([]);
    await writeTree(machine.top, {
      'home/.agents/skills/a/real.md': skillText('a'),
      'home/.agents/skills/a/SKILL.md': { link: 'real.md' },
    });
    expect(await found(machine, 'agents', machine.options)).toEqual(['user home/.agents/skills/a']);
    expect(await found(machine, 'codex', machine.options)).toEqual([]);
    const { diagnostics } = await loadCatalog(await clientPreset('codex', machine.options));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'skill-file-special `SKILL.md` is a link, expected a regular file.',
    ]);
  });

  it('gives each source its own name', async () => {
    const machine = await makeMachine([
      `${here}/.claude/skills/a`,
      'work/repo/.claude/skills/a',
      'home/.claude/skills/a',
    ]);
    const builtin = [join(machine.top, 'home/.claude/skills/a')];
    await writeTree(machine.repository, { 'packages/app/mine/b/SKILL.md': skillText('b') });
    const sources = await clientPreset('claude', { ...machine.options, builtin, paths: ['mine'] });
    expect((await clientPreset('skillful', { ...machine.options, includeMissing: true })).map(({ id }) => id)).toEqual([
      ...['packages/app/', 'packages/', ''].flatMap((directory) =>
        ['skillful', 'agents', 'claude', 'opencode'].map((name) => `project:${directory}.${name}/skills`),
      ),
      'user:~/.config/skillful/skills',
      'user:~/.agents/skills',
      'user:~/.claude/skills',
      'user:~/.config/opencode/skills',
      'plugin:~/.claude/plugins/cache',
    ]);
    expect(sources.map(({ id }) => id)).toEqual([
      'user:~/.claude/skills',
      'project:packages/app/.claude/skills',
      'project:.claude/skills',
      'project:packages/app/mine',
      `builtin:${builtin[0]}`,
    ]);
  });

  it('refuses unknown clients and invalid names', async () => {
    await expect(clientPreset('vim' as ClientName)).rejects.toMatchObject({ code: 'options-invalid' });
    for (const name of ['../evil', '..', ''])
      await expect(clientPreset('agents', { name })).rejects.toMatchObject({ code: 'options-invalid' });
  });
});
