import { describe, expect, it, vi } from 'vitest';
import {
  cacheSource,
  createToolkit,
  definePolicy,
  explainPolicy,
  loadCatalog,
  loadScriptPlan,
  memorySource,
  type PolicyRule,
  type ScriptPlan,
  type SkillEvent,
} from '../../src/index.ts';
import { fileSource } from '../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../node/temporary-directory.ts';

const tree = {
  'pdf/SKILL.md': skillText('pdf'),
  'pdf/refs/secret.md': 'SECRET',
  'pdf/refs/open.md': 'OPEN',
  'pdf/refs/s.md': { link: 'secret.md' },
  'pdf/more': { link: 'refs' },
  'pdf/scripts/show.sh': 'cat refs/*',
  'pdf/scripts/hidden.sh': 'echo hidden',
  'pdf/scripts/alias.sh': { link: 'hidden.sh' },
};

async function open(rules: readonly PolicyRule[], wrap = (source: ReturnType<typeof fileSource>) => source) {
  const root = await makeTemporaryDirectory();
  await writeTree(root, tree);
  const catalog = await loadCatalog([wrap(fileSource(root))]);
  const plans: ScriptPlan[] = [];
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(catalog, {
    policy: definePolicy({ rules }),
    tools: { files: true },
    onEvent: (event) => events.push(event),
    runner: {
      run: async (plan) => {
        plans.push(plan);
        return { exitCode: 0, output: 'ran', errors: '', truncated: false, timedOut: false };
      },
    },
  });
  const call = async (name: string, input: object) => {
    const { text } = (await toolkit.tools.find((tool) => tool.name === name)?.execute(input)) ?? {};
    return text?.replaceAll(root, '') ?? '';
  };
  const read = (path: string) => call('read_skill_resource', { skill: 'pdf', path });
  const list = async () =>
    [...(await call('list_skill_resources', { skill: 'pdf' })).matchAll(/^\d+ (.*)$/gm)].map(([, path]) => path);
  const run = (path: string) => call('run_skill_script', { skill: 'pdf', path });
  return { catalog, toolkit, call, read, list, run, plans, events };
}

const missing = (path: string) => `There is no file \`${path}\` in the skill.`;
const secret: PolicyRule = { skill: 'pdf', path: 'refs/secret.md', effect: 'deny', reason: 'Not for models.' };

describe('a file that a rule denies', () => {
  it('F10: is read neither by its path nor by a link', async () => {
    const { read } = await open([secret]);
    for (const path of ['refs/secret.md', './refs/./secret.md', 'refs/s.md', 'more/secret.md', 'refs/none.md']) {
      expect(await read(path)).toBe(missing(path.replaceAll('./', '')));
    }
    expect(await read('more/open.md')).toContain('OPEN');
  });

  it('is in no list, and in no text of its skill', async () => {
    const { call, list, toolkit } = await open([secret]);
    const activation = await call('activate_skill', { name: 'pdf' });
    expect(activation).toContain('refs/open.md');
    expect(activation).not.toMatch(/secret|s\.md|more files/);
    expect(await list()).toEqual(['refs/open.md', 'scripts/alias.sh', 'scripts/hidden.sh', 'scripts/show.sh']);
    const { text = '' } = (await toolkit.tools[0]?.execute({ name: 'pdf' })) ?? {};
    const messages = [{ role: 'assistant' as const, results: [{ id: '1', tool: 'activate_skill', text }] }];
    const { edits, system } = await toolkit.prepare(messages as never[]);
    expect(JSON.stringify([edits, system])).not.toContain('secret');
  });

  it('takes no place of an allowed file in a long list', async () => {
    const root = await makeTemporaryDirectory();
    const fill = (directory: string, count: number) =>
      Array.from({ length: count }, (_, index) => [`pdf/${directory}/${index}.md`, 'x'] as const);
    await writeTree(root, {
      'pdf/SKILL.md': skillText('pdf'),
      ...Object.fromEntries([...fill('internal', 2_100), ...fill('open', 3)]),
    });
    const catalog = await loadCatalog([fileSource(root)]);
    for (const rules of [
      [{ path: 'internal', effect: 'deny' }],
      [
        { path: 'open/*', effect: 'allow' },
        { path: '*', effect: 'deny' },
      ],
    ] as const) {
      const toolkit = createToolkit(catalog, { policy: definePolicy({ rules }), tools: { files: true } });
      const list = toolkit.tools.find(({ name }) => name === 'list_skill_resources');
      const [skill] = catalog.skills;
      const all = skill && (await skill.source.listFiles(skill, { checkPath: () => undefined }));
      expect([all?.files.length, all?.truncated]).toEqual([2_000, true]);
      expect((await list?.execute({ skill: 'pdf' }))?.text).toBe('1 open/0.md\n1 open/1.md\n1 open/2.md');
    }
  });

  it('is not asked about through a link, nor is a file outside of the directories that may be read', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, tree);
    const deny = { path: ['refs/secret.md', 'scripts/hidden.sh'], effect: 'deny' } as const;
    const toolkit = createToolkit(await loadCatalog([fileSource(root)]), {
      policy: definePolicy({ rules: [deny, { action: ['read', 'run'], effect: 'ask' }] }),
      runner: { run: async () => Promise.reject(new Error('It must not run.')) },
      resourceDirectories: ['refs'],
    });
    const effectOf = async (name: string, path: string) =>
      (await toolkit.judge({ name, input: { skill: 'pdf', path } }, { call: '1' })).effect;
    expect(await effectOf('read_skill_resource', 'refs/open.md')).toBe('ask');
    for (const path of ['refs/s.md', 'refs/secret.md', 'scripts/show.sh'])
      expect(await effectOf('read_skill_resource', path)).toBe('none');
    expect(await effectOf('run_skill_script', 'scripts/show.sh')).toBe('ask');
    for (const path of ['scripts/alias.sh', 'scripts/hidden.sh'])
      expect(await effectOf('run_skill_script', path)).toBe('none');
  });

  it('is looked for once, although a listing fails then or later', async () => {
    const memory = memorySource({ 'pdf/SKILL.md': skillText('pdf'), 'pdf/internal/a.md': 'x' });
    let isAway = false;
    const listFiles = vi.fn((...call: Parameters<typeof memory.listFiles>) =>
      isAway ? Promise.reject(new Error('away')) : memory.listFiles(...call),
    );
    const catalog = await loadCatalog([{ ...memory, listFiles }]);
    const open = () =>
      createToolkit(catalog, { policy: definePolicy({ rules: [{ path: 'internal', effect: 'deny' }] }) });
    const toolkit = open();
    const hidden = ['read_skill_resource', 'list_skill_resources'];
    for (isAway of [false, true, false]) expect((await toolkit.prepare([])).hiddenTools).toEqual(hidden);
    expect(listFiles).toHaveBeenCalledOnce();
    const other = open();
    for (isAway of [true, false]) expect((await other.prepare([])).hiddenTools).toEqual([]);
  });

  it.each([
    ['memory', (files: Record<string, string>) => memorySource(files)],
    [
      'the disk',
      async (files: Record<string, string>) => {
        const root = await makeTemporaryDirectory();
        await writeTree(root, files);
        return fileSource(root);
      },
    ],
  ])('leads to no tool that only it would need: from %s', async (_, sourceOf) => {
    const runner = { run: async () => ({ exitCode: 0, output: '', errors: '', truncated: false, timedOut: false }) };
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`pdf/open/${index}.md`, 'x']));
    const secrets = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`pdf/internal/${index}.md`, 'x']));
    const offered = async (files: Record<string, string>, action?: 'run') => {
      const catalog = await loadCatalog([await sourceOf({ 'pdf/SKILL.md': skillText('pdf'), ...files })]);
      const path = action === 'run' ? 'scripts' : ['internal', 'scripts/internal'];
      const policy = definePolicy({ rules: [{ path, ...(action && { action }), effect: 'deny' }] });
      const withoutRules = await createToolkit(catalog, { runner }).prepare([]);
      expect(withoutRules.hiddenTools).not.toContain('read_skill_resource');
      return (await createToolkit(catalog, { policy, runner }).prepare([])).hiddenTools;
    };
    expect(await offered({ 'pdf/internal/a.md': 'x', 'pdf/scripts/internal/a.sh': 'x' })).toEqual([
      'read_skill_resource',
      'list_skill_resources',
      'run_skill_script',
    ]);
    expect(await offered({ 'pdf/scripts/b.sh': 'x' })).toEqual(['list_skill_resources']);
    expect(await offered({ 'pdf/scripts/b.sh': 'x' }, 'run')).toEqual(['list_skill_resources', 'run_skill_script']);
    expect(await offered({ ...many, ...secrets })).toEqual(['list_skill_resources', 'run_skill_script']);
  });

  it('is not in the prompt that shows all instructions', async () => {
    const { catalog } = await open([secret]);
    const toolkit = createToolkit(catalog, { mode: 'direct', policy: definePolicy({ rules: [secret] }) });
    const { system } = await toolkit.prepare([]);
    expect(system).toContain('refs/open.md');
    expect(system).not.toContain('secret');
  });

  it('is not given to a script, unless only reading is denied', async () => {
    const paths = async (rule: PolicyRule) => {
      const { run, plans } = await open([rule, { effect: 'allow' }]);
      await run('scripts/show.sh');
      return [...(plans[0]?.files.keys() ?? [])].filter((path) => path.startsWith('refs/'));
    };
    expect(await paths(secret)).toEqual(['refs/open.md']);
    expect(await paths({ ...secret, action: 'run' })).toEqual(['refs/open.md']);
    expect(await paths({ ...secret, action: 'read' })).toEqual(['refs/open.md', 'refs/s.md', 'refs/secret.md']);
  });

  it('is not run, also by a link, and answered like a script that does not exist', async () => {
    const { run, plans } = await open([{ path: 'scripts/hidden*', effect: 'deny' }, { effect: 'allow' }]);
    for (const name of ['hidden', 'alias', 'none']) {
      const path = `scripts/${name}.sh`;
      expect(await run(path)).toBe(`\`pdf\` has no script \`${path}\`. Scripts are below \`scripts/\`.`);
    }
    expect(plans).toEqual([]);
    expect(await run('scripts/show.sh')).toContain('ran');
  });

  it('stays hidden if a cache has read it for another caller', async () => {
    const { catalog, read } = await open([secret], (source) => cacheSource(source));
    const free = createToolkit(catalog).tools.find(({ name }) => name === 'read_skill_resource');
    expect((await free?.execute({ skill: 'pdf', path: 'refs/s.md' }))?.text).toContain('SECRET');
    expect(await read('refs/s.md')).toBe(missing('refs/s.md'));
  });

  it.each([
    ['refs/secret.md', 'refs/\u017fecret.md'],
    ['refs/password.md', 'refs/pa\u00dfword.md'],
    ['refs/stra\u00dfe.md', 'refs/STRASSE.md'],
    ['refs/\u03bf\u03b4\u03bf\u03c2*', 'refs/\u039f\u0394\u039f\u03a3.md'],
    ['refs/file.md', 'refs/\ufb01le.md'],
    ['refs/secret.md', 'refs/se\u200bcret.md'],
    ['refs/caf\u00e9.md', 'refs/cafe\u200d\u0301.md'],
    ['refs/\u0390.md', 'refs/\u03aa\u0301.md'],
    ['refs/\u03b1\u0301\u0345', 'refs/\u03b1\u0345\u0301'],
    // `?` is one character, also if its capital form is two.
    ['refs/stra?e.md', 'refs/Stra\u00dfe.md'],
    ['refs/?.md', 'refs/\ufb01.md'],
  ])('is denied by %s, which stands for %s or for what some disk takes for it', async (pattern, path) => {
    const { skills } = await loadCatalog([memorySource({ 'pdf/SKILL.md': skillText('pdf') })]);
    const policy = definePolicy({ rules: [{ path: pattern, effect: 'deny' }] });
    const effects = skills.map(
      (skill) => explainPolicy(policy, skill, { actor: 'model', action: 'read', path }).effect,
    );
    expect(effects).toEqual(['deny']);
  });

  it('is denied with the directory that a rule names', async () => {
    const { read, list } = await open([{ path: ['refs', 'script?'], effect: 'deny' }]);
    expect(await read('refs/secret.md')).toBe(missing('refs/secret.md'));
    expect(await read('more/secret.md')).toBe(missing('more/secret.md'));
    expect(await list()).toEqual([]);
    const { read: other } = await open([{ path: ['ref', 'efs', 'refs/s'], effect: 'deny' }]);
    expect(await other('refs/secret.md')).toContain('SECRET');
  });

  it('is denied whatever the case of its letters, its spaces, and however its characters are composed', async () => {
    const paths = ['REFS/Secret.md', 'refs/caf\u00e9.md', 'refs/mass.md', 'refs/private notes.md', 'refs/a\u3000b.md'];
    const rules: PolicyRule[] = [{ path: paths, effect: 'deny' }];
    const { read } = await open(rules);
    expect(await read('refs/secret.md')).toBe(missing('refs/secret.md'));
    const hidden = ['refs/cafe\u0301.md', 'refs/MA\u1e9e.md', 'refs/private\u00a0notes.md', 'refs/a b.md'];
    const files = {
      'x/SKILL.md': skillText('x'),
      ...Object.fromEntries(hidden.map((path) => [`x/${path}`, 'SECRET'])),
    };
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]), { policy: definePolicy({ rules }) });
    const tool = toolkit.tools.find(({ name }) => name === 'read_skill_resource');
    for (const path of hidden)
      expect((await tool?.execute({ skill: 'x', path }))?.text).toBe(missing(path.replace('\u00a0', ' ')));
  });
});

describe('rules for files', () => {
  it('can allow a few files and deny the rest', async () => {
    const { read, call } = await open([
      { path: 'refs/open*', action: 'read', effect: 'allow' },
      { path: '*', action: 'read', effect: 'deny' },
    ]);
    expect(await read('refs/open.md')).toContain('OPEN');
    expect(await read('scripts/show.sh')).toBe(missing('scripts/show.sh'));
    expect(await call('activate_skill', { name: 'pdf' })).not.toContain('scripts/');
  });

  it.each([
    ['scripts/*.py', 'scripts/a.py/show.sh', 'deny'],
    ['scripts/*.py', 'scripts/a.py', 'allow'],
    ['scripts/*', 'scripts/a.py/show.sh', 'allow'],
    ['scripts/a.py', 'scripts/a.py/show.sh', 'deny'],
  ])('that allow %s: %s gets %s, because an author may name a directory like a file', async (pattern, path, effect) => {
    const { skills } = await loadCatalog([memorySource({ 'pdf/SKILL.md': skillText('pdf') })]);
    const policy = definePolicy({ rules: [{ path: pattern, action: 'run', effect: 'allow' }], default: 'deny' });
    const effects = skills.map((skill) => explainPolicy(policy, skill, { actor: 'model', action: 'run', path }).effect);
    expect(effects).toEqual([effect]);
  });

  it.each([{ rules: [] }, { rules: [{ skill: 'other', path: 'x', effect: 'deny' } as const] }])(
    'are not needed to hide all files of a skill: if a rule denies reading, an activation lists none (%j)',
    async ({ rules }) => {
      const { call } = await open([{ action: 'read', effect: 'deny' }, ...rules]);
      expect(await call('activate_skill', { name: 'pdf' })).not.toMatch(/refs|scripts/);
    },
  );

  it('ask about a file, and about no link to it', async () => {
    const { read, list, toolkit, events } = await open([
      { ...secret, effect: 'ask' },
      { path: 'scripts/hidden.sh', action: 'run', effect: 'ask' },
      { effect: 'allow' },
    ]);
    const judge = (name: string, path: string) => toolkit.judge({ name, input: { skill: 'pdf', path } }, { call: '1' });
    expect(await judge('read_skill_resource', 'refs/secret.md')).toMatchObject({
      effect: 'ask',
      question: { path: 'refs/secret.md', reason: 'Not for models.' },
    });
    expect(await judge('read_skill_resource', 'refs/open.md')).toEqual({ effect: 'none' });
    expect(await judge('run_skill_script', 'scripts/hidden.sh')).toMatchObject({ effect: 'ask' });
    expect(await read('refs/secret.md')).toBe('A person must agree to this call of `pdf` first, and nobody has.');
    expect(events.map(({ type }) => type)).toContain('approval-needed');
    expect(await read('refs/s.md')).toBe('`refs/s.md` is a link to a file that a person must agree to first.');
    expect(await list()).toContain('refs/s.md');
  });

  it('ask about a script, and run no link to it', async () => {
    const { run, plans } = await open([
      { path: 'scripts/hidden.sh', action: 'run', effect: 'ask' },
      { effect: 'allow' },
    ]);
    expect(await run('scripts/alias.sh')).toContain('is a link to a file that a person must agree to first');
    expect(await run('scripts/hidden.sh')).toBe('A person must agree to this call of `pdf` first, and nobody has.');
    expect(plans).toEqual([]);
  });

  it('are named by `explainPolicy`, and say nothing about other actions', async () => {
    const { catalog } = await open([]);
    const [pdf] = catalog.skills;
    if (pdf === undefined) throw new Error('no skill');
    const policy = definePolicy({ rules: [secret] });
    const explain = (action: 'read' | 'run' | 'list' | 'activate', path?: string) =>
      explainPolicy(policy, pdf, { actor: 'model', action, path });
    expect(explain('read', 'refs/secret.md')).toEqual({ effect: 'deny', rule: secret });
    expect(explain('run', 'refs/secret.md').effect).toBe('deny');
    expect([explain('read'), explain('read', 'refs/open.md')]).toEqual([{ effect: 'allow' }, { effect: 'allow' }]);
    expect(explain('activate', 'refs/secret.md')).toEqual({ effect: 'allow' });
  });

  it.each([
    [{ path: 'refs/*', action: 'list' }, /Rule 1 has a `path` and the action `list`, which is about no file/],
    [{ path: 'refs/*', action: ['read', 'activate'] }, /`activate`/],
    [{ path: '/refs/a.md' }, /`\/refs\/a.md`, which no file has/],
    [{ path: './refs/a.md' }, /which no file has/],
    [{ path: 'refs/' }, /which no file has/],
    [{ path: '../x' }, /which no file has/],
    [{ path: 'refs\\a.md' }, /which no file has/],
    [{ path: '' }, /bad pattern in `path`/],
  ] as const)('are checked: %j', (rule, message) => {
    expect(() => definePolicy({ rules: [{ ...rule, effect: 'deny' } as PolicyRule] })).toThrow(
      expect.objectContaining({ code: 'options-invalid', message: expect.stringMatching(message) }),
    );
  });

  it('cost a policy without them nothing: no file is looked at twice', async () => {
    const { catalog } = await open([]);
    const [pdf] = catalog.skills;
    if (pdf === undefined) throw new Error('no skill');
    const asked: unknown[] = [];
    const source = {
      ...pdf.source,
      listFiles: async (...given: Parameters<typeof pdf.source.listFiles>) => {
        asked.push(given[1]?.checkPath);
        return pdf.source.listFiles(...given);
      },
    };
    const toolkit = createToolkit(
      { ...catalog, skills: [{ ...pdf, source }] },
      { policy: definePolicy({ rules: [{ effect: 'allow' }] }) },
    );
    await toolkit.tools[0]?.execute({ name: 'pdf' });
    expect(new Set(asked)).toEqual(new Set([undefined]));
    await loadScriptPlan({ ...pdf, source }, { path: 'scripts/show.sh' });
  });
});

it('a script that a cache has not listed yet is unknown, even if a rule makes its skill be listed again', async () => {
  const files: Record<string, string> = { 'pdf/SKILL.md': skillText('pdf'), 'pdf/scripts/old.sh': 'echo' };
  const source = {
    ...memorySource(files),
    listFiles: (...call: Parameters<ReturnType<typeof memorySource>['listFiles']>) =>
      memorySource(files).listFiles(...call),
    readFile: (...call: Parameters<ReturnType<typeof memorySource>['readFile']>) =>
      memorySource(files).readFile(...call),
  };
  const [skill] = (await loadCatalog([cacheSource(source)])).skills;
  if (skill === undefined) throw new Error('There is no skill.');
  const plan = (path: string) => loadScriptPlan(skill, { path }, { checkPath: () => undefined });
  expect((await loadScriptPlan(skill, { path: 'scripts/old.sh' })).path).toBe('scripts/old.sh');
  files['pdf/scripts/new.sh'] = 'echo';
  expect([...(await plan('scripts/old.sh')).files.keys()]).toEqual(['SKILL.md', 'scripts/old.sh']);
  await expect(plan('scripts/new.sh')).rejects.toMatchObject({ code: 'resource-unknown' });
});
