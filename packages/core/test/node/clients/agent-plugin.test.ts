import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { resolveSkill } from '../../../src/catalog/resolve.ts';
import { readSkillResource } from '../../../src/disclosure/resource.ts';
import { checkManifest, parseObject } from '../../../src/node/clients/plugin-manifest.ts';
import { pluginSource } from '../../../src/node/index.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
const minimal = JSON.stringify({ $schema, name: 'lint' });
const loose = '---\nname: Deploy It\nDescription: no\n---\n';

/** What a catalog makes of a source: the names, and each diagnostic that is about more than words. */
async function load(source: SkillSource, root: string) {
  const { skills, rejected, diagnostics } = await loadCatalog([source]);
  const below = (path: string): string => path.slice(root.length + 1);
  return {
    skills: skills.map(({ name, plugin }) => `${plugin}/${name}`),
    rejected: rejected.map(({ directory }) => below(directory)),
    problems: diagnostics
      .filter(({ severity }) => severity !== 'info')
      .map(({ code, location }) => `${code} ${below(location)}`),
  };
}

function parse(manifest: object | string) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify({ $schema, name: 'lint', ...manifest });
  const { name, diagnostics } = checkManifest(parseObject(new TextEncoder().encode(text)), { location: 'plugin.json' });
  return { name, messages: diagnostics.map(({ message }) => message) };
}

describe('plugin.json', () => {
  it.each([
    ['leads out of the plugin', { link: '../elsewhere.json' }, 'it leads out of the plugin'],
    ['is a directory', { directory: 0o755 }, 'it is not a regular file'],
  ] as const)('is not read if it %s', async (_, made, reason) => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'elsewhere.json': minimal, 'lint/plugin.json': made });
    const { diagnostics } = await loadCatalog([pluginSource(join(root, 'lint'), { single: true })]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `The plugin was rejected: \`plugin.json\` could not be read: ${reason}.`,
    ]);
  });

  it.each([
    ['the minimum', {}],
    ['periods', { name: 'acme.tools' }],
    ['64 characters', { name: 'a'.repeat(64) }],
    [
      'every field, with any text',
      {
        version: 'not semantic',
        description: '',
        author: { name: 'A', email: 'nobody', url: '' },
        homepage: 'x',
        repository: 'x',
        license: 'x',
        keywords: [],
        extensions: { 'com.example.client': { skills: './elsewhere' } },
      },
    ],
  ])('is accepted with %s', (_, manifest) => {
    expect(parse(manifest)).toEqual({ name: 'name' in manifest ? manifest.name : 'lint', messages: [] });
  });

  it.each([
    ['skills', './elsewhere', 'the standard has no such field'],
    ['__proto__', 1, 'the standard has no such field'],
    ['extensions', [], 'it is not an object'],
  ])('is accepted without its field %s', (field, value, reason) => {
    const text = `{"$schema":${JSON.stringify($schema)},"name":"lint",${JSON.stringify(field)}:${JSON.stringify(value)}}`;
    expect(parse(text)).toEqual({
      name: 'lint',
      messages: [`The field \`${field}\` of the manifest was ignored: ${reason}.`],
    });
  });

  it.each([
    ['no JSON', '{', '`plugin.json` is not a JSON object of at most 1 MiB'],
    ['a list', '[]', '`plugin.json` is not a JSON object of at most 1 MiB'],
    ['a mebibyte', minimal + ' '.repeat(2 ** 20), '`plugin.json` is not a JSON object of at most 1 MiB'],
    ['no schema', '{"name":"lint"}', `\`$schema\` is not \`${$schema}\`, the only known schema`],
    ['another type of version', { version: 1 }, '`version` is not a string'],
    ['a field that is null', { license: null }, '`license` is not a string'],
    [
      'an author who is a string',
      { author: 'A' },
      '`author` is not an object with the strings `name`, `email` and `url`',
    ],
    [
      'an author with more',
      { author: { x: 'y' } },
      '`author` is not an object with the strings `name`, `email` and `url`',
    ],
    ['a keyword that is not a string', { keywords: ['a', 1] }, '`keywords` is not a list of strings'],
    ['an extension that is none', { extensions: { a: 1 } }, 'a member of `extensions` is not an object'],
  ])('rejects the plugin with %s', (_, manifest, reason) => {
    expect(parse(manifest)).toEqual({ name: undefined, messages: [`The plugin was rejected: ${reason}.`] });
  });

  it.each(['', 'Lint', '-a', 'a.', 'a--b', 'a..b', 'a b', 'ä', 'a'.repeat(65), '../a', 7])(
    'rejects the plugin with the name %j',
    (name) => {
      const reason =
        '`name` must be 1 to 64 of a-z, 0-9, - and ., begin and end with a letter or digit, and not contain -- or ..';
      expect(parse({ name })).toEqual({ name: undefined, messages: [`The plugin was rejected: ${reason}.`] });
    },
  );

  it('rejects a plugin of an unknown schema version', () => {
    const other = 'https://agent-plugins.org/schemas/9.0.0/plugin.schema.json';
    expect(parse({ $schema: other }).messages).toHaveLength(1);
  });
});

describe('pluginSource with `single`', () => {
  it('accepts skills that conform, exactly one level deep, and reports the others', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'plugin.json': minimal,
      'skills/SKILL.md': skillText('skills'),
      'skills/deploy/SKILL.md': skillText('deploy'),
      'skills/loose/SKILL.md': loose,
      'skills/.hidden/SKILL.md': skillText('hidden'),
      'skills/other-name/SKILL.md': skillText('name'),
      'skills/group/deeper/SKILL.md': skillText('deeper'),
      'elsewhere/x/SKILL.md': skillText('x'),
    });
    const { problems, ...found } = await load(pluginSource(root, { single: true }), root);
    expect(found).toEqual({
      skills: ['lint/deploy'],
      rejected: ['skills/.hidden', 'skills/loose', 'skills/other-name'],
    });
    expect(new Set(problems.map((line) => line.split(' ')[1]))).toEqual(
      new Set(['skills/.hidden/SKILL.md', 'skills/loose/SKILL.md', 'skills/other-name/SKILL.md']),
    );
  });

  it('reads nothing if the manifest is invalid, missing, a link out or not a file', async () => {
    const root = await makeTemporaryDirectory();
    const skill = skillText('a');
    await writeTree(root, {
      'elsewhere.json': minimal,
      'invalid/plugin.json': '{}',
      'invalid/skills/a/SKILL.md': skill,
      'missing/skills/a/SKILL.md': skill,
      'link/plugin.json': { link: '../elsewhere.json' },
      'link/skills/a/SKILL.md': skill,
      'directory/plugin.json': { directory: 0o755 },
      'directory/skills/a/SKILL.md': skill,
    });
    const outcomes = ['invalid', 'missing', 'link', 'directory', 'nowhere'].map((name) =>
      load(pluginSource(join(root, name), { single: true }), root),
    );
    const nothing = { skills: [], rejected: [] };
    expect(await Promise.all(outcomes)).toEqual([
      { ...nothing, problems: ['plugin-invalid invalid/plugin.json'] },
      { ...nothing, problems: ['plugin-invalid missing'] },
      { ...nothing, problems: ['plugin-invalid link/plugin.json'] },
      { ...nothing, problems: ['plugin-invalid directory/plugin.json'] },
      { ...nothing, problems: ['plugin-invalid nowhere'] },
    ]);
  });

  it('follows links inside the plugin but none out of it', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'outside/b/SKILL.md': skillText('b'),
      'one/manifests/plugin.json': minimal,
      'one/plugin.json': { link: 'manifests/plugin.json' },
      'one/shared/a/SKILL.md': skillText('a'),
      'one/skills/a': { link: '../shared/a' },
      'one/skills/b': { link: '../../outside/b' },
      'one/skills/c/SKILL.md': { link: '../../../outside/b/SKILL.md' },
      'two/plugin.json': minimal,
      'two/skills': { link: '../outside' },
    });
    expect(await load(pluginSource(join(root, 'one'), { single: true }), root)).toEqual({
      skills: ['lint/a'],
      rejected: [],
      problems: ['skill-outside-root one/skills/b', 'skill-outside-root one/skills/c/SKILL.md'],
    });
    expect(await load(pluginSource(join(root, 'two'), { single: true }), root)).toEqual({
      skills: [],
      rejected: [],
      problems: ['skill-outside-root two/skills'],
    });
  });

  it('A14: reads no file with several hard links under any profile', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'secret.md': skillText('b'),
      'one/plugin.json': minimal,
      'one/skills/a/SKILL.md': skillText('a'),
      'one/skills/b/x.md': 'x',
    });
    await link(join(root, 'secret.md'), join(root, 'one/skills/a/linked.md'));
    await link(join(root, 'secret.md'), join(root, 'one/skills/b/SKILL.md'));
    const source = pluginSource(join(root, 'one'), { single: true });
    expect(await load(source, root)).toEqual({
      skills: ['lint/a'],
      rejected: [],
      problems: ['skill-file-linked one/skills/b/SKILL.md'],
    });
    const [skill] = (await loadCatalog([source])).skills as [Skill];
    await expect(readSkillResource(skill, 'linked.md')).rejects.toMatchObject({ code: 'resource-unreadable' });
  });

  it('may have no skills, and reports a `skills` that is not a directory', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'one/plugin.json': minimal, 'two/plugin.json': minimal, 'two/skills': 'a file' });
    expect((await pluginSource(join(root, 'one'), { single: true }).list()).diagnostics).toEqual([]);
    expect((await load(pluginSource(join(root, 'two'), { single: true }), root)).problems).toEqual([
      'root-unreadable two/skills',
    ]);
  });

  it('applies the strict profile even after a reload', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'plugin.json': minimal, 'skills/a/SKILL.md': skillText('b') });
    const sources = [pluginSource(root, { single: true })];
    const first = await loadCatalog(sources);
    const second = await loadCatalog(sources, { previous: first });
    expect([first.skills, second.skills, second.rejected.length]).toEqual([[], [], 1]);
  });
});

it('pluginSource applies the standard to Agent Plugins of a cache, and accepts other plugins as they are', async () => {
  const cache = await makeTemporaryDirectory();
  await writeTree(cache, {
    'market/strict/1.0.0/plugin.json': minimal,
    'market/strict/1.0.0/skills/good/SKILL.md': skillText('good'),
    'market/strict/1.0.0/skills/bad/SKILL.md': skillText('other'),
    'market/broken/plugin.json': JSON.stringify({ $schema, name: 'BROKEN' }),
    'market/broken/skills/a/SKILL.md': skillText('a'),
    'market/loose/2.0.0/plugin.json': '{"name":"Anything","skills":"./skills"}',
    'market/loose/2.0.0/skills/b/SKILL.md': skillText('other'),
  });
  const { skills, rejected, problems } = await load(pluginSource(cache), cache);
  expect(skills).toEqual(['lint/good', 'loose/other']);
  expect(rejected).toEqual(['market/strict/1.0.0/skills/bad']);
  expect(problems[0]).toBe('plugin-invalid market/broken/plugin.json');
});

it('a skill can be reached by the name of its plugin, even if another skill has its name', async () => {
  const cache = await makeTemporaryDirectory();
  for (const plugin of ['one', 'two']) {
    await writeTree(cache, { [`${plugin}/1.0.0/skills/deploy/SKILL.md`]: skillText('deploy') });
  }
  const catalog = await loadCatalog([pluginSource(cache)]);
  const found = ['deploy', 'one/deploy', 'TWO/Deploy', 'three/deploy'].map((name) => {
    const resolution = resolveSkill(catalog, name);
    return resolution.kind === 'found' ? resolution.skill.directory.slice(cache.length + 1) : resolution.kind;
  });
  expect(found).toEqual(['one/1.0.0/skills/deploy', 'one/1.0.0/skills/deploy', 'two/1.0.0/skills/deploy', 'unknown']);
});

it('a plugin of a cache has the name of its directory, not of its version', async () => {
  const cache = await makeTemporaryDirectory();
  for (const path of ['one', 'two/1.0.0', 'market/three', 'market/four/2.0.0', 'market/five/0a1b2c3', '6.0.0']) {
    await writeTree(cache, { [`${path}/skills/a/SKILL.md`]: skillText('a') });
  }
  const { entries } = await pluginSource(cache).list();
  expect(entries.map(({ plugin }) => plugin).toSorted()).toEqual(['6.0.0', 'five', 'four', 'one', 'three', 'two']);
});
