// What a source of an application lists is not trusted: people agree to it, and runners write files by these paths.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalog, memorySource, planScript, type Skill, type SkillSource } from '../../src/index.ts';
import { processRunner } from '../../src/node/index.ts';
import { makeTemporaryDirectory } from '../node/temporary-directory.ts';

const source = memorySource({
  'x/SKILL.md': '---\nname: x\ndescription: d\n---\nBody.',
  'x/scripts/a.sh': 'echo hello',
});

/** The skill of a source that also lists these files, and returns this for each of them. */
async function skillWith(paths: readonly string[], content: Uint8Array = new Uint8Array(), bytes = 0): Promise<Skill> {
  const custom: SkillSource = {
    ...source,
    async listFiles(skill) {
      const { files } = await source.listFiles(skill);
      return { files: [...files, ...paths.map((path) => ({ path, bytes }))], truncated: false };
    },
    readFile: async (skill, path, options) =>
      path === 'SKILL.md' || path === 'scripts/a.sh' ? source.readFile(skill, path, options) : content,
  };
  const [skill] = (await loadCatalog([custom])).skills;
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

const plan = async (...given: Parameters<typeof skillWith>) =>
  planScript(await skillWith(...given), { path: 'scripts/a.sh' });

it('leaves no skill, whatever a source lists', async () => {
  const directory = await makeTemporaryDirectory();
  const up = '../'.repeat(30).slice(0, -1);
  await expect(plan([`${up}${directory}/evil`])).rejects.toMatchObject({ code: 'resource-outside-skill' });
  for (const path of ['/etc/evil', 'a/../../evil', '..', '', 'a//b', './a', 'a\0b', 'a\ud800', 'x'.repeat(5_000)])
    await expect(plan([path])).rejects.toMatchObject({ code: 'resource-outside-skill' });
  expect(existsSync(join(directory, 'evil'))).toBe(false);
});

it('takes no file twice', async () => {
  for (const paths of [['a.md', 'a.md'], ['scripts/a.sh'], ['SKILL.md']])
    await expect(plan(paths)).rejects.toMatchObject({ code: 'resource-unreadable' });
});

it('takes only so many files, and only so many bytes, whatever the source says of them', async () => {
  const many = Array.from({ length: 10_001 }, (_, index) => `f${index}`);
  await expect(plan(many)).rejects.toMatchObject({ code: 'resource-too-large' });
  const large = new Uint8Array(17 * 1024 * 1024);
  for (const bytes of [0, -1e12, Number.NaN])
    await expect(plan(['a', 'b'], large, bytes)).rejects.toMatchObject({ code: 'resource-too-large' });
  // What is said to be too large is not even read.
  const listed = plan(['a', 'b'], new Uint8Array(), large.length);
  await expect(listed).rejects.toMatchObject({ code: 'resource-too-large' });
});

it.each(['SKILL.md', 'tools/scripts/a.sh', 'scripts/none.sh', 'scripts'])('are no script: %s', async (path) => {
  const skill = await skillWith(['tools/scripts/a.sh']);
  await expect(planScript(skill, { path })).rejects.toMatchObject({ code: 'resource-unknown' });
});

it('have the same digest in any order, and another if one is added', async () => {
  const [one, other, more] = [await plan(['a', 'b']), await plan(['b', 'a']), await plan(['a', 'b', 'c'])];
  expect(other.digest).toBe(one.digest);
  expect(more.digest).not.toBe(one.digest);
});

it('answers files that a disk cannot have side by side in words', async () => {
  const both = await plan(['a', 'a/b']);
  await expect(processRunner().run(both)).rejects.toMatchObject({ code: 'script-unsupported' });
});
