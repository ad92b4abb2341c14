import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { filterSource, loadCatalog, overlaySource } from '../../../src/index.ts';
import { type PluginSourceOptions, pluginSource } from '../../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const manifest = '.claude-plugin/plugin.json';
const marketplace = '.claude-plugin/marketplace.json';

/** Writes plugins into a cache and returns what is found: each skill with its plugin, and the diagnostics. */
async function find(tree: Parameters<typeof writeTree>[1], place = '', options: PluginSourceOptions = {}) {
  const cache = await makeTemporaryDirectory();
  await writeTree(cache, tree);
  const { entries, diagnostics } = await pluginSource(join(cache, place), options).list();
  return {
    skills: entries.map(({ plugin, directory }) => `${plugin}: ${directory.slice(cache.length + 1)}`),
    problems: diagnostics.map(({ code, location, message }) => [code, location.slice(cache.length + 1), message]),
  };
}

const skill = (name: string) => skillText(name);

it('finds only the skills that a marketplace lists for a plugin, if all its plugins share one directory', async () => {
  const shared = {
    [marketplace]: JSON.stringify({
      plugins: [
        { name: 'documents', source: './', skills: ['./skills/pdf', './skills/docx/'] },
        { name: 'science', source: '.', skills: './science' },
        { name: 'everything', source: './' },
      ],
    }),
    'skills/pdf/SKILL.md': skill('pdf'),
    'skills/docx/SKILL.md': skill('docx'),
    'skills/art/SKILL.md': skill('art'),
    'science/dna/SKILL.md': skill('dna'),
  };
  const copies = ['documents', 'science', 'everything'].flatMap((plugin) =>
    Object.entries(shared).map(([path, text]) => [`market/${plugin}/1.0.0/${path}`, text] as const),
  );
  expect(await find(Object.fromEntries(copies))).toEqual({
    skills: [
      'documents: market/documents/1.0.0/skills/pdf',
      'documents: market/documents/1.0.0/skills/docx',
      'everything: market/everything/1.0.0/skills/art',
      'everything: market/everything/1.0.0/skills/docx',
      'everything: market/everything/1.0.0/skills/pdf',
      'science: market/science/1.0.0/science/dna',
    ],
    problems: [],
  });
});

it('adds the directories that a manifest names to `skills`, each skill once', async () => {
  const tree = {
    [`lint/1.0.0/${manifest}`]: JSON.stringify({
      name: 'lint',
      skills: ['./extra', './one', './skills/a', './extra/'],
    }),
    'lint/1.0.0/skills/a/SKILL.md': skill('a'),
    'lint/1.0.0/extra/b/SKILL.md': skill('b'),
    'lint/1.0.0/extra/group/c/SKILL.md': skill('c'),
    'lint/1.0.0/one/SKILL.md': skill('one'),
    'lint/1.0.0/one/inner/SKILL.md': skill('inner'),
  };
  expect(await find(tree)).toEqual({
    skills: ['lint: lint/1.0.0/skills/a', 'lint: lint/1.0.0/extra/b', 'lint: lint/1.0.0/one'],
    problems: [],
  });
});

it.each([
  ['without a manifest field', JSON.stringify({ name: 'solo' })],
  ['named as `.`', JSON.stringify({ name: 'solo', skills: ['.'] })],
  ['named as `./`', JSON.stringify({ name: 'solo', skills: './' })],
])('finds a skill at the top of a plugin, %s', async (_title, text) => {
  expect(await find({ [`solo/1.0.0/${manifest}`]: text, 'solo/1.0.0/SKILL.md': skill('solo') })).toEqual({
    skills: ['solo: solo/1.0.0'],
    problems: [],
  });
});

it('finds a skill at the top of a version without a manifest, because a marketplace can describe its plugins', async () => {
  const tree = {
    'market/SKILL.md': skill('market'),
    'market/solo/4f0c2d1/SKILL.md': skill('solo'),
    'market/solo/4f0c2d1/scripts/run.sh': '',
    'market/two/SKILL.md': skill('two'),
    'market/two/1.0.0/skills/a/SKILL.md': skill('a'),
    'market/part/4f0c2d1a9b3e-0c1d2e3f/SKILL.md': skill('part'),
    'market/plain/unknown/SKILL.md': skill('plain'),
    'one/1.2.0/SKILL.md': skill('one'),
    // Other clients keep whole repositories, whose examples are no skills.
    'extension/examples/hello/SKILL.md': skill('hello'),
    'market/extension/template/SKILL.md': skill('template'),
  };
  const skills = [
    'part: market/part/4f0c2d1a9b3e-0c1d2e3f',
    'plain: market/plain/unknown',
    'solo: market/solo/4f0c2d1',
    'two: market/two/1.0.0/skills/a',
    'one: one/1.2.0',
  ];
  expect(await find(tree)).toEqual({ skills, problems: [] });
});

it('compares the name of a skill at the top of a plugin with the name of the plugin, not with its version', async () => {
  const tree = {
    'market/solo/1.0.0/SKILL.md': skill('solo'),
    [`market/unnamed/1.0.0/${manifest}`]: JSON.stringify({ name: 'unnamed' }),
    'market/unnamed/1.0.0/SKILL.md': '---\ndescription: Does it.\n---\nBody.\n',
    'market/other/1.0.0/SKILL.md': skill('solver'),
  };
  const root = await makeTemporaryDirectory();
  await writeTree(root, tree);
  const { skills, diagnostics } = await loadCatalog([pluginSource(root)]);
  expect(skills.map(({ name }) => name)).toEqual(['solo', 'solver', 'unnamed']);
  expect(diagnostics.map(({ code, location }) => [code, relative(root, location)])).toEqual([
    ['name-directory-mismatch', 'market/other/1.0.0/SKILL.md'],
    ['name-missing', 'market/unnamed/1.0.0/SKILL.md'],
  ]);
});

it('takes the name of the plugin for that of the directory in layers, too, so that two plugins of one version differ', async () => {
  const [ours, theirs] = [await makeTemporaryDirectory(), await makeTemporaryDirectory()];
  await writeTree(ours, { 'market/lint/1.0.0/SKILL.md': skill('lint') });
  await writeTree(theirs, {
    'market/lint/2.0.0/SKILL.md': skill('lint'),
    'market/format/1.0.0/SKILL.md': skill('format'),
    'market/broken/1.0.0/SKILL.md': 'No frontmatter.',
  });
  const names: string[] = [];
  const keep = ({ name }: { readonly name: string }) => names.push(name) > 0;
  const { entries } = await filterSource(overlaySource(pluginSource(ours), pluginSource(theirs)), keep).list();
  expect(entries.map(({ plugin }) => plugin)).toEqual(['lint', 'broken', 'format']);
  expect(names).toEqual(['lint', 'broken', 'format']);
});

it('compares the name of a skill at the top of a plugin outside a cache with its directory, as for any skill', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    [`lint/${manifest}`]: JSON.stringify({ name: 'lint-tools' }),
    'lint/SKILL.md': skill('lint'),
  });
  const { skills, diagnostics } = await loadCatalog([pluginSource(join(root, 'lint'))], { profile: 'strict' });
  expect([skills.map(({ name, plugin }) => [name, plugin]), diagnostics]).toEqual([[['lint', 'lint-tools']], []]);
});

it('takes no plugin for a skill that has `skills` or names a directory', async () => {
  const tree = {
    [`one/${manifest}`]: JSON.stringify({ name: 'one' }),
    'one/SKILL.md': skill('one'),
    'one/skills/a/SKILL.md': skill('a'),
    [`two/${manifest}`]: JSON.stringify({ name: 'two', skills: './extra' }),
    'two/SKILL.md': skill('two'),
    'two/extra/b/SKILL.md': skill('b'),
  };
  expect(await find(tree)).toEqual({ skills: ['one: one/skills/a', 'two: two/extra/b'], problems: [] });
});

it('finds no skill and no problem in a plugin without skills', async () => {
  const tree = {
    [`hooks/1.0.0/${manifest}`]: JSON.stringify({ name: 'hooks' }),
    'hooks/1.0.0/lib/SKILL.md': skill('lib'),
    'hooks/1.0.0/lib/x/skills/a/SKILL.md': '',
  };
  expect(await find(tree)).toEqual({ skills: [], problems: [] });
});

it.each([{}, { single: true }])('reads one plugin that is given instead of a cache: %j', async (options) => {
  const tree = { [`mine/${manifest}`]: JSON.stringify({ name: 'lint' }), 'mine/skills/a/SKILL.md': skill('a') };
  expect(await find(tree, 'mine', options)).toEqual({ skills: ['lint: mine/skills/a'], problems: [] });
});

it('reads one plugin although another client has a `plugin.json` in it', async () => {
  const tree = {
    [`mine/${manifest}`]: JSON.stringify({ name: 'lint' }),
    'mine/plugin.json': JSON.stringify({ name: 'Lint for another client' }),
    'mine/skills/a/SKILL.md': skill('a'),
  };
  expect(await find(tree, 'mine')).toEqual({ skills: ['lint: mine/skills/a'], problems: [] });
});

it('reads one plugin as an Agent Plugin if its `plugin.json` says so, although Claude Code has a manifest, too', async () => {
  const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
  const tree = {
    [`mine/${manifest}`]: JSON.stringify({ name: 'lint' }),
    'mine/plugin.json': JSON.stringify({ $schema, name: 'standard' }),
    'mine/skills/a/SKILL.md': skill('a'),
  };
  expect(await find(tree, 'mine')).toEqual({ skills: ['standard: mine/skills/a'], problems: [] });
});

it('reads the other plugins of a cache if one names a path that no system can have', async () => {
  const tree = {
    [`bad/${manifest}`]: JSON.stringify({ name: 'bad', skills: './a\0b' }),
    'good/skills/a/SKILL.md': skill('a'),
  };
  const { skills, problems } = await find(tree);
  expect(skills).toEqual(['good: good/skills/a']);
  expect(problems.map(([code]) => code)).toEqual(['plugin-field-ignored']);
});

it('searches a marketplace for its plugins, although it has a manifest of its own', async () => {
  const tree = {
    [`market/${marketplace}`]: JSON.stringify({ plugins: [{ name: 'lint', source: './lint' }] }),
    'market/lint/skills/a/SKILL.md': skill('a'),
  };
  expect(await find(tree)).toEqual({ skills: ['lint: market/lint/skills/a'], problems: [] });
});

it('reads nothing outside a plugin, and says which directory is missing', async () => {
  const tree = {
    'elsewhere/x/SKILL.md': skill('x'),
    [`lint/1.0.0/${manifest}`]: JSON.stringify({
      name: 'lint',
      skills: ['../../elsewhere', './a/../../../elsewhere', '/etc', 'plain', '', 7, './link', './gone'],
    }),
    'lint/1.0.0/plain/y/SKILL.md': skill('y'),
    'lint/1.0.0/link': { link: '../../elsewhere' },
  };
  const { skills, problems } = await find(tree);
  expect(skills).toEqual([]);
  const ignored = (path: string) => [
    'plugin-field-ignored',
    `lint/1.0.0/${manifest}`,
    `The field \`skills\` of the manifest was ignored: ${path} is not a path in the plugin that begins with \`./\`.`,
  ];
  expect(problems).toEqual([
    ...['`../../elsewhere`', '`./a/../../../elsewhere`', '`/etc`', '`plain`', '``', 'a value of type number'].map(
      ignored,
    ),
    ['skill-outside-root', 'lint/1.0.0/link', expect.any(String)],
    ['root-missing', 'lint/1.0.0/gone', expect.any(String)],
  ]);
});

it.each([
  ['{', 'the file is not a JSON object of at most 1 MiB'],
  ['[]', 'the file is not a JSON object of at most 1 MiB'],
])('reads `skills` if the manifest is broken, and says so: %s', async (text, reason) => {
  expect(await find({ [`lint/${manifest}`]: text, 'lint/skills/a/SKILL.md': skill('a') })).toEqual({
    skills: ['lint: lint/skills/a'],
    problems: [
      ['plugin-field-ignored', `lint/${manifest}`, `The field \`skills\` of the manifest was ignored: ${reason}.`],
    ],
  });
});

it.each([
  ['a broken marketplace', '{', ['a', 'b'], 'the file is not a JSON object of at most 1 MiB'],
  ['an entry with wrong paths only', { skills: ['skills/a'] }, [], '`skills/a` is not a path in the plugin'],
  ['an entry whose source is no text', { source: { toString: 1, valueOf: 1 }, skills: './skills/a' }, ['a', 'b']],
  ['an entry that names the top, too', { skills: ['./', './skills/a'] }, ['a', 'b']],
  ['an entry that names nothing that exists', { skills: './gone' }, ['a', 'b'], 'does not exist'],
  ['an entry that names something that exists', { skills: ['./skills/a', './gone'] }, ['a'], 'does not exist'],
  ['an entry under a name that its directory cannot have', { name: 'li.nt', skills: './skills/a' }, ['a'], '', 'li-nt'],
])('lists no more skills of a shared directory than it should, and says why: %s', async (...given) => {
  const [, entry, names, problem = '', plugin = 'lint'] = given;
  const text =
    typeof entry === 'string' ? entry : JSON.stringify({ plugins: [{ name: plugin, source: './', ...entry }] });
  const { skills, problems } = await find({
    [`m/${plugin}/1.0.0/${marketplace}`]: text,
    [`m/${plugin}/1.0.0/skills/a/SKILL.md`]: skill('a'),
    [`m/${plugin}/1.0.0/skills/b/SKILL.md`]: skill('b'),
    'm/other/1.0.0/skills/c/SKILL.md': skill('c'),
  });
  expect(skills.toSorted()).toEqual(
    [...names.map((name) => `${plugin}: m/${plugin}/1.0.0/skills/${name}`), 'other: m/other/1.0.0/skills/c'].toSorted(),
  );
  expect(problems.map(([, , message]) => message)).toEqual(problem === '' ? [] : [expect.stringContaining(problem)]);
});

it('leaves out replaced versions although they have a manifest', async () => {
  const tree = {
    [`m/lint/1.0.0/${manifest}`]: JSON.stringify({ name: 'lint' }),
    'm/lint/1.0.0/.orphaned_at': '1790000000000',
    'm/lint/1.0.0/skills/dropped/SKILL.md': skill('dropped'),
  };
  expect(await find(tree)).toEqual({ skills: [], problems: [] });
});

it.each(['skills', 'SKILL.md'])('reports `%s` if it is a broken link', async (name) => {
  const tree = {
    [`lint/${manifest}`]: JSON.stringify({ name: 'lint' }),
    'lint/agents/a/SKILL.md': skill('a'),
    [`lint/${name}`]: { link: 'nowhere' },
  };
  expect(await find(tree)).toEqual({
    skills: [],
    problems: [['skill-broken-link', `lint/${name}`, expect.any(String)]],
  });
});

it('finds a skill whose directory is called `skills`', async () => {
  const tree = {
    [`skills/${manifest}`]: JSON.stringify({ name: 'solo', skills: ['./', './more/skills'] }),
    'skills/SKILL.md': skill('solo'),
    'skills/more/skills/SKILL.md': skill('skills'),
  };
  const skills = ['solo: skills', 'solo: skills/more/skills'];
  expect(await find(tree, 'skills', { single: true })).toEqual({ skills, problems: [] });
});

it('finds the entry of one plugin that is given by the name in its manifest', async () => {
  const tree = {
    [`copy/${manifest}`]: JSON.stringify({ name: 'lint' }),
    [`copy/${marketplace}`]: JSON.stringify({ plugins: [{ name: 'lint', source: './', skills: './skills/a' }] }),
    'copy/skills/a/SKILL.md': skill('a'),
    'copy/skills/b/SKILL.md': skill('b'),
  };
  expect(await find(tree, 'copy')).toEqual({ skills: ['lint: copy/skills/a'], problems: [] });
});

it('lets other work have its turn and can be stopped, however many directories a manifest names', async () => {
  const cache = await makeTemporaryDirectory();
  const skills = Array.from({ length: 20_000 }, (_, n) => `./${n}`);
  await writeTree(cache, { [`lint/${manifest}`]: JSON.stringify({ skills: [...skills, './a', './a/', './b/../a'] }) });
  const signal = AbortSignal.timeout(50);
  await expect(pluginSource(cache).list({ signal })).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('reads the files of a skill at the top of a plugin, but not those of other skills in it', async () => {
  const cache = await makeTemporaryDirectory();
  await writeTree(cache, {
    [`solo/1.0.0/${manifest}`]: JSON.stringify({ name: 'solo' }),
    'solo/1.0.0/SKILL.md': skill('solo'),
    'solo/1.0.0/notes.md': 'Notes.',
    'solo/1.0.0/agents/inner/SKILL.md': skill('inner'),
    'solo/1.0.0/agents/inner/key.md': 'Secret.',
  });
  const [found] = (await loadCatalog([pluginSource(cache)])).skills;
  if (found === undefined) throw new Error('Nothing was found.');
  const { files } = await found.source.listFiles(found);
  expect(files.map(({ path }) => path)).toEqual([manifest, 'notes.md']);
  expect(new TextDecoder().decode(await found.source.readFile(found, 'notes.md'))).toBe('Notes.');
  const inner = found.source.readFile(found, 'agents/inner/key.md');
  await expect(inner).rejects.toMatchObject({ code: 'resource-unknown' });
});
