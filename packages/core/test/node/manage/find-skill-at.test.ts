import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalog, loadCatalog, memorySource } from '../../../src/index.ts';
import { fileSource, findSkillAt } from '../../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

let root = '';
let catalog: Catalog;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'skillful-owns-')));
  for (const path of ['skills/a/references', 'skills/ab', 'elsewhere'])
    await mkdir(join(root, path), { recursive: true });
  for (const name of ['a', 'ab']) {
    await writeFile(join(root, 'skills', name, 'SKILL.md'), `---\nname: ${name}\ndescription: D.\n---\n`);
  }
  await writeFile(join(root, 'skills/a/references/x.md'), 'x');
  await writeFile(join(root, 'elsewhere/secret'), 'secret');
  await symlink(join(root, 'elsewhere/secret'), join(root, 'skills/a/link'));
  await symlink(join(root, 'skills/a'), join(root, 'alias'));
  catalog = await loadCatalog([
    memorySource({ 'm/SKILL.md': '---\nname: m\ndescription: D.\n---\n' }),
    fileSource(join(root, 'skills')),
  ]);
});
afterAll(() => rm(root, { recursive: true }));

describe('findSkillAt', () => {
  it.each([
    ['a file of a skill', 'skills/a/references/x.md', 'a'],
    ['the directory itself', 'skills/a', 'a'],
    ['a skill whose name begins with that of another', 'skills/ab/SKILL.md', 'ab'],
    ['a file by another way to it', 'alias/references/../SKILL.md', 'a'],
    ['no skill for a link that leads out', 'skills/a/link', undefined],
    ['no skill for a file beside', 'elsewhere/secret', undefined],
    ['no skill for a way out', 'skills/a/../../elsewhere/secret', undefined],
    ['no skill for what does not exist', 'skills/a/missing', undefined],
  ])('finds %s', async (_, path, name) => {
    expect((await findSkillAt(catalog, join(root, path)))?.name).toBe(name);
  });

  it('finds the innermost of skills in each other', async () => {
    const outer = join(root, 'outer');
    await mkdir(join(outer, 'z'), { recursive: true });
    for (const [directory, name] of [
      [outer, 'a'],
      [join(outer, 'z'), 'z'],
    ] as const)
      await writeFile(join(directory, 'SKILL.md'), `---\nname: ${name}\ndescription: D.\n---\n`);
    const both = await loadCatalog([fileSource(outer)]);
    expect(both.skills.map(({ name }) => name)).toEqual(['a', 'z']);
    expect((await findSkillAt(both, join(outer, 'z/SKILL.md')))?.name).toBe('z');
    expect((await findSkillAt(both, join(outer, 'SKILL.md')))?.name).toBe('a');
  });
});

it('finds no skill for files of one that is not in the catalog, below a skill at the root', async () => {
  const top = await makeTemporaryDirectory();
  await writeTree(top, {
    'SKILL.md': skillText('outer'),
    'notes/a.md': 'own',
    'broken/SKILL.md': 'no frontmatter',
    'broken/x/key': 'SECRET',
  });
  const outer = await loadCatalog([fileSource(top)]);
  await writeTree(top, { 'new/SKILL.md': skillText('new'), 'new/key': 'SECRET' });
  const find = async (path: string) => (await findSkillAt(outer, join(top, path)))?.name;
  for (const path of ['', 'SKILL.md', 'notes', 'notes/a.md']) expect(await find(path)).toBe('outer');
  for (const path of ['broken', 'broken/SKILL.md', 'broken/x', 'broken/x/key', 'new', 'new/key'])
    expect(await find(path)).toBeUndefined();
});

it('finds the outer skill for files of an inner one that discovery does not find', async () => {
  const top = await makeTemporaryDirectory();
  await writeTree(top, { 'outer/SKILL.md': skillText('outer'), 'outer/inner/SKILL.md': '', 'outer/inner/key': '' });
  const outer = await loadCatalog([fileSource(top)]);
  expect((await findSkillAt(outer, join(top, 'outer/inner/key')))?.name).toBe('outer');
});

it('finds no skill for files of one that another source finds and the catalog does not offer', async () => {
  const top = await makeTemporaryDirectory();
  await writeTree(top, {
    'outer/SKILL.md': skillText('outer'),
    'outer/own.md': '',
    'outer/skills/broken/SKILL.md': 'no frontmatter',
    'outer/skills/off/SKILL.md': skillText('off'),
  });
  const sources = [fileSource(top), fileSource(join(top, 'outer/skills'), { id: 'inner' })];
  const settings = () => ({ isEnabled: ({ name }: { name: string }) => name !== 'off' });
  const offered = await loadCatalog(sources, { settings });
  const find = async (path: string) => (await findSkillAt(offered, join(top, 'outer', path)))?.name;
  for (const path of ['', 'own.md', 'skills']) expect(await find(path)).toBe('outer');
  for (const path of ['skills/broken', 'skills/broken/SKILL.md', 'skills/off/SKILL.md'])
    expect(await find(path)).toBeUndefined();
});
