import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pluginSource } from '../../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

it('finds the skills of every plugin, the newest version first, exactly one level deep', async () => {
  const cache = await makeTemporaryDirectory();
  const found = [
    'market/lint/1.10.0/skills/a',
    'market/lint/1.9.0/skills/a',
    'market/lint/1.9.0/skills/b',
    'market/web/main/skills/e',
    'plain/skills/c',
    'tool/2.0.0/skills/d',
  ];
  const ignored = ['plain/skills/group/e', 'tool/2.0.0/docs/f', '.hidden/skills/g', 'a/b/c/d/skills/h'];
  for (const path of [...found, ...ignored]) await writeTree(cache, { [`${path}/SKILL.md`]: skillText('x') });
  const { entries, diagnostics } = await pluginSource(cache).list();
  expect(entries.map(({ directory }) => directory.slice(cache.length + 1))).toEqual(found);
  expect(entries.map(({ plugin }) => plugin)).toEqual(['lint', 'lint', 'lint', 'web', 'plain', 'tool']);
  expect(diagnostics).toEqual([]);
});

it('has an id by the name of its directory if that is one plugin', () => {
  expect([pluginSource('/a/lint'), pluginSource('/a/lint', { single: true })].map(({ id }) => id)).toEqual([
    'plugin',
    'plugin:lint',
  ]);
});

it('leaves out the versions that Claude Code has replaced or uninstalled, until it deletes them', async () => {
  const cache = await makeTemporaryDirectory();
  await writeTree(cache, {
    'market/lint/2.0.0/skills/a/SKILL.md': skillText('a'),
    'market/lint/1.0.0/skills/a/SKILL.md': skillText('a'),
    'market/lint/1.0.0/skills/dropped/SKILL.md': skillText('dropped'),
    'market/lint/1.0.0/.orphaned_at': '1790000000000',
    'market/gone/1.0.0/skills/b/SKILL.md': skillText('b'),
    'market/gone/1.0.0/.orphaned_at': '1790000000000',
  });
  const { entries, diagnostics } = await pluginSource(cache).list();
  expect([entries.map(({ directory }) => directory.slice(cache.length + 1)), diagnostics]).toEqual([
    ['market/lint/2.0.0/skills/a'],
    [],
  ]);
});

it('lists versions first, in any order of the disk', async () => {
  const cache = await makeTemporaryDirectory();
  const inOrder = [
    'v10',
    '9',
    '2.0.0',
    '2.0.0-rc.2',
    'v2.0.0-rc.1',
    '2.0.0-beta.10',
    '2.0.0-beta.9',
    '2.0.0-alpha',
    '1.0.0+b-1',
    '01',
    '1',
    '10b',
    'b',
  ];
  for (const names of [inOrder, inOrder.toReversed(), inOrder.toSorted()]) {
    const market = join(cache, names.join('-'));
    for (const name of names) await writeTree(market, { [`lint/${name}/skills/a/SKILL.md`]: skillText('a') });
    const { entries } = await pluginSource(market).list();
    expect(entries.map(({ directory }) => directory.slice(market.length + 1).split('/')[1])).toEqual(inOrder);
  }
});

it('rejects if the signal is aborted, although there is nothing to read', async () => {
  const empty = await makeTemporaryDirectory();
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(pluginSource(empty).list({ signal })).rejects.toThrow('stopped');
  await expect(pluginSource(empty, { single: true }).list({ signal })).rejects.toThrow('stopped');
});

it('reads nothing through a link that leaves the plugin', async () => {
  const cache = await makeTemporaryDirectory();
  await writeTree(cache, {
    'elsewhere/x/SKILL.md': skillText('x'),
    'one/shared/y/SKILL.md': skillText('y'),
    'one/skills/inside': { link: '../shared/y' },
    'one/skills/outside': { link: '../../elsewhere/x' },
    'two/skills': { link: '../elsewhere' },
  });
  const source = pluginSource(cache);
  const { entries, diagnostics } = await source.list();
  expect(entries.map(({ directory }) => directory.slice(cache.length + 1))).toEqual(['one/skills/inside']);
  expect(diagnostics.map(({ code, location }) => `${code} ${location.slice(cache.length + 1)}`)).toEqual([
    'skill-outside-root one/skills/outside',
    'skill-outside-root two/skills',
  ]);
  const [inside] = entries;
  if (inside === undefined) throw new Error('Nothing was found.');
  expect(new TextDecoder().decode(await source.readFile(inside, 'SKILL.md'))).toBe(skillText('y'));
});

it('is empty if there is no cache', async () => {
  const cache = await makeTemporaryDirectory();
  expect(await pluginSource(join(cache, 'nowhere')).list()).toEqual({ entries: [], diagnostics: [] });
});

it('reports directories that cannot be listed, and finds the plugins beside them', async () => {
  const cache = await makeTemporaryDirectory();
  await writeTree(cache, {
    'good/skills/a/SKILL.md': skillText('a'),
    loop: { link: 'loop' },
    'market/loop': { link: 'loop' },
    nowhere: { link: 'gone' },
    note: { link: 'readme.md' },
    'readme.md': 'x',
  });
  const describe = async (path: string) => {
    const { entries, diagnostics } = await pluginSource(path, { id: 'mine' }).list();
    const problems = diagnostics.map(({ source, location, message }) => [source, location, message]);
    return [entries.map(({ location }) => location), problems];
  };
  const reason = 'The path could not be read: its links go in a circle (ELOOP).';
  expect(await describe(cache)).toEqual([
    [join(cache, 'good/skills/a/SKILL.md')],
    [
      ['mine', join(cache, 'loop'), reason],
      ['mine', join(cache, 'market/loop'), reason],
    ],
  ]);
  expect(await describe(join(cache, 'readme.md'))).toEqual([
    [],
    [['mine', join(cache, 'readme.md'), 'The path could not be read: not a directory (ENOTDIR).']],
  ]);
});

it.skipIf(process.platform === 'win32')('reports once that others can put plugins into a cache', async () => {
  for (const open of ['', 'market', 'market/lint', 'market/lint/1.0.0', 'market/lint/1.0.0/skills']) {
    const cache = await makeTemporaryDirectory();
    await writeTree(cache, {
      'market/lint/1.0.0/skills/a/SKILL.md': skillText('a'),
      'market/other/1.0.0/skills/b/SKILL.md': skillText('b'),
    });
    await chmod(join(cache, open), 0o777);
    const [lenient, strict] = [await pluginSource(cache).list(), await pluginSource(cache).list({ profile: 'strict' })];
    const codes = lenient.diagnostics.map(({ code }) => code);
    expect([open, lenient.entries.length, codes]).toEqual([open, 2, ['root-unsafe']]);
    const isOfBoth = open === '' || open === 'market';
    expect([open, strict.entries.length]).toEqual([open, isOfBoth ? 0 : 1]);
    expect(new Set(strict.diagnostics.map(({ code }) => code))).toEqual(new Set(['root-refused']));
  }
});
