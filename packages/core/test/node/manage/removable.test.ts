// What is never deleted with a skill.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { clientPreset, fileSource, type RemoveSkillOptions, removeSkill } from '../../../src/node/index.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import { cacheSource } from '../../../src/sources/cache.ts';
import { filterSource } from '../../../src/sources/filter.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

/** Tries to remove the skill `x`, even by force; returns why that was refused, after checking that nothing was deleted. */
async function refusal(top: string, skill: Skill | undefined, options: RemoveSkillOptions = {}): Promise<string> {
  if (skill === undefined) throw new Error('The skill was not found.');
  const before = readdirSync(top, { recursive: true }).sort();
  for (const force of [false, true]) {
    await expect(removeSkill(skill, { ...options, force })).rejects.toMatchObject({ code: 'skill-protected' });
  }
  const error = await removeSkill(skill, { ...options, force: true }).catch((reason: Error) => reason);
  expect(readdirSync(top, { recursive: true }).sort()).toEqual(before);
  const [, reason] = /^`x` was not removed, because (.*)\. Delete its `SKILL\.md` and its other files by hand\.$/.exec(
    error?.message ?? '',
  ) ?? [undefined, error?.message];
  return reason ?? 'it was removed';
}

async function findX(
  root: string,
  source = fileSource(root, { scope: 'user', hidden: true }),
): Promise<Skill | undefined> {
  const { skills } = await loadCatalog([source]);
  return skills.find(({ name }) => name === 'x');
}

describe('removeSkill never removes', () => {
  it.each([['a/SKILL.md'], ['deep/1/2/3/4/5/SKILL.md'], ['.hidden/a/SKILL.md'], ['a/skill.md']])(
    'a skill that contains another one: %s',
    async (path) => {
      const root = await makeTemporaryDirectory();
      await writeTree(root, { 'x/SKILL.md': skillText('x'), [`x/${path}`]: skillText('a') });
      expect(await refusal(root, await findX(root))).toBe(`it contains another skill (\`${path}\`)`);
    },
  );

  it.each(['.git', 'vendor/.git', 'node_modules/a/.git', '.hg', '.jj'])(
    'a repository, or what contains one: %s',
    async (path) => {
      const root = await makeTemporaryDirectory();
      await writeTree(root, { 'x/SKILL.md': skillText('x'), [`x/${path}`]: 'gitdir: elsewhere' });
      expect(await refusal(root, await findX(root))).toBe(`it contains a repository (\`${path}\`)`);
    },
  );

  it('a root: of its own source, behind layers, of another one, or above one', async () => {
    const top = await makeTemporaryDirectory();
    const root = join(top, 'x');
    await writeTree(root, { 'SKILL.md': skillText('x'), 'sub/notes.md': '' });
    await writeTree(top, { link: { link: 'x' } });
    const why = 'skills are searched in this directory, too';
    const layered = cacheSource(
      filterSource(fileSource(root, { scope: 'user' }), () => true),
      { maxAge: 1000 },
    );
    expect([
      await refusal(top, await findX(root)),
      await refusal(top, await findX(root, layered)),
      await refusal(top, await findX(join(top, 'link'))),
      await refusal(top, await findX(join(top, 'link')), { roots: [join(top, 'elsewhere')] }),
      await refusal(top, await findX(top), { roots: [root] }),
      await refusal(top, await findX(top), { roots: [join(root, 'sub')] }),
      await refusal(top, await findX(top), { roots: [join(top, 'link')] }),
    ]).toEqual([why, why, why, why, why, why, why]);
  });

  it('the skill in a root beside others, which all are found', async () => {
    const home = await makeTemporaryDirectory();
    const root = join(home, '.agents/skills');
    for (const path of ['SKILL.md', 'a/SKILL.md', 'b/SKILL.md']) {
      await writeTree(root, { [path]: skillText(path === 'SKILL.md' ? 'x' : (path[0] ?? '')) });
    }
    const { skills } = await loadCatalog(await clientPreset('agents', { cwd: home, home, environment: {} }));
    expect(skills.map(({ name }) => name).sort()).toEqual(['a', 'b', 'x']);
    expect(
      await refusal(
        home,
        skills.find(({ name }) => name === 'x'),
      ),
    ).toBe('skills are searched in this directory, too');
  });

  it('a home directory, or what contains one', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, { 'x/SKILL.md': skillText('x'), 'x/me/notes.md': '', link: { link: 'x/me' } });
    const why = 'a home directory would be deleted with it';
    const skill = await findX(top);
    expect([
      await refusal(top, skill, { home: join(top, 'x') }),
      await refusal(top, skill, { environment: { HOME: join(top, 'x/me') } }),
      await refusal(top, skill, { home: join(top, 'link') }),
    ]).toEqual([why, why, why]);
    vi.stubEnv('HOME', join(top, 'x/me'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await refusal(top, skill, { home: join(top, 'elsewhere') })).toBe(why);
  });

  const canMount = process.platform === 'linux' && process.getuid?.() === 0;

  it.runIf(canMount)('the top of a file system, or what contains one', async (test) => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, { 'x/SKILL.md': '', 'y/SKILL.md': skillText('x'), 'y/data/mounted/keep.md': '' });
    for (const place of ['x', 'y/data/mounted']) {
      if (spawnSync('mount', ['-t', 'tmpfs', 'none', join(top, place)]).status !== 0) test.skip('It may not mount.');
      onTestFinished(() => void execFileSync('umount', [join(top, place)]));
    }
    await writeTree(top, { 'x/SKILL.md': skillText('x') });
    const { skills, shadowed } = await loadCatalog([fileSource(top, { scope: 'user' })]);
    expect(await refusal(top, skills[0])).toBe('it is the top of a file system');
    expect(await refusal(top, shadowed[0]?.skill)).toBe('it contains another file system (`data/mounted`)');
  });

  it('the target of a link to any of these', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, {
      'home/SKILL.md': skillText('x'),
      'home/a/SKILL.md': skillText('a'),
      'skills/x': { link: '../home' },
    });
    const skill = await findX(join(top, 'skills'));
    if (skill === undefined) throw new Error('The skill was not found.');
    await removeSkill(skill, { home: join(top, 'home') });
    expect(readdirSync(top, { recursive: true }).sort()).toEqual([
      'home',
      'home/SKILL.md',
      'home/a',
      'home/a/SKILL.md',
      'skills',
    ]);
  });
});

it('removeSkill removes a skill with what would be skills, if discovery finds none in packages and leftovers', async () => {
  const top = await makeTemporaryDirectory();
  await writeTree(top, {
    'x/SKILL.md': skillText('x'),
    'x/node_modules/a/SKILL.md': skillText('a'),
    'x/.b.0123456789ab.tmp/SKILL.md': skillText('b'),
  });
  const skill = await findX(top);
  if (skill === undefined) throw new Error('The skill was not found.');
  await removeSkill(skill);
  expect(readdirSync(top)).toEqual([]);
});
