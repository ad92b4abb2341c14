// Ids stand for names that a model cannot repeat, and for nothing else.

import { expect, it } from 'vitest';
import { identifyFiles, isResourceId } from '../../src/disclosure/resource-id.ts';
import { loadCatalog, memorySource, readSkillResource } from '../../src/index.ts';
import { checkResourcePath, isPathFor } from '../../src/skill/paths.ts';

const identify = async (...paths: readonly string[]): Promise<readonly (readonly [string, string])[]> => [
  ...(await identifyFiles(paths.map((path) => ({ path, bytes: 0 })))),
];

it('gives no id to a name that a model is shown as it is', async () => {
  expect(await identify('SKILL.md', 'references/a b.md', 'pages/[...x].ts', '技能/说明.md', 'and 3 more')).toEqual([]);
});

it('gives an id to every name that a model is shown in another form, or that no path may have', async () => {
  const paths = ['a\nb', 'a<b', 'R&D.md', "it's.md", '\u202egpj.exe', ' a', 'a  b', 'a\\b', 'a:b', 'a.', 'nul.md'];
  const ids = await identify('plain.md', ...paths);
  expect(ids.map(([path]) => path)).toEqual(paths);
  for (const [, id] of ids) {
    expect(id).toMatch(/^id:[0-9a-f]{8}$/);
    expect([isResourceId(id), isPathFor(checkResourcePath, id)]).toEqual([true, false]);
  }
});

it('makes an id of the path alone', async () => {
  expect(await identify('a\nb')).toEqual([['a\nb', 'id:7e18f737']]);
  expect((await identify('<', 'a\nb', 'z:'))[1]).toEqual(['a\nb', 'id:7e18f737']);
});

it('gives longer ids to files whose ids would begin alike', async () => {
  expect(await identify('a:1792', 'a:8957', 'a:1')).toEqual([
    ['a:1792', 'id:f8ec7437d73db3d8'],
    ['a:8957', 'id:f8ec7437b5a45d0f'],
    ['a:1', expect.stringMatching(/^id:[0-9a-f]{8}$/)],
  ]);
});

it('reads a file by its id or its listed name, and neither another file by a shorter id nor the name as a path', async () => {
  const files = { 'a:1792': 'one', 'a:8957': 'two', 'id:7e18f737': 'named like an id', 'a\nb': 'odd' };
  const own = Object.fromEntries(Object.entries(files).map(([path, content]) => [`x/${path}`, content]));
  const [skill] = (await loadCatalog([memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: D.\n---\n', ...own })]))
    .skills;
  if (skill === undefined) throw new Error('The skill was not loaded.');
  const read = async (path: string, listed?: boolean) => {
    const resource = await readSkillResource(skill, path, { fromListing: listed });
    return [resource.path, resource.text];
  };
  expect(await read('id:f8ec7437b5a45d0f')).toEqual(['a:8957', 'two']);
  expect(await read('id:7e18f737')).toEqual(['a\nb', 'odd']);
  expect(await read('id:7e18f737', true)).toEqual(['id:7e18f737', 'named like an id']);
  expect(await read('a\nb', true)).toEqual(['a\nb', 'odd']);
  await expect(read('id:f8ec7437')).rejects.toMatchObject({ code: 'resource-unknown' });
  await expect(read('a\nb')).rejects.toMatchObject({ code: 'resource-outside-skill' });
});
