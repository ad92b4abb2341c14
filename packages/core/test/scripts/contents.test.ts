// What a source of an application lists is not trusted: people agree to it, and runners write files by these paths.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalog, loadScriptPlan, memorySource, type Skill, type SkillSource } from '../../src/index.ts';
import { fileSource, processRunner } from '../../src/node/index.ts';
import { digestBytes } from '../../src/runtime/digest.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../node/temporary-directory.ts';

const source = memorySource({
  'x/SKILL.md': '---\nname: x\ndescription: d\n---\nBody.',
  'x/scripts/a.sh': 'echo hello',
});

/** The skill of a source that also lists these files, and returns this for each of them. */
async function skillWith(
  paths: readonly string[],
  content: Uint8Array | ((path: string) => Uint8Array) = new Uint8Array(),
  bytes = 0,
  truncated = false,
): Promise<Skill> {
  const contentOf = typeof content === 'function' ? content : () => content;
  const custom: SkillSource = {
    ...source,
    async listFiles(skill) {
      const { files } = await source.listFiles(skill);
      return { files: [...files, ...paths.map((path) => ({ path, bytes }))], truncated };
    },
    readFile: async (skill, path, options) =>
      path === 'SKILL.md' || path === 'scripts/a.sh' ? source.readFile(skill, path, options) : contentOf(path),
  };
  const [skill] = (await loadCatalog([custom])).skills;
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

const plan = async (...given: Parameters<typeof skillWith>) =>
  loadScriptPlan(await skillWith(...given), { path: 'scripts/a.sh' });

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
  // What is not listed would be neither checked nor there.
  await expect(plan(['a'], new Uint8Array(), 0, true)).rejects.toMatchObject({ code: 'resource-too-large' });
});

it('reads a file whose name only a listing may have', async () => {
  const directory = await makeTemporaryDirectory();
  await writeTree(directory, { 'x/SKILL.md': skillText('x'), 'x/scripts/a.sh': 'echo hello', 'x/a\\b': 'text' });
  const { skills } = await loadCatalog([fileSource(directory)]);
  const [skill] = skills;
  if (skill === undefined) throw new Error('no skill');
  const { files } = await loadScriptPlan(skill, { path: 'scripts/a.sh' });
  expect([...files.keys()]).toEqual(['SKILL.md', 'a\\b', 'scripts/a.sh']);
});

it('reads nothing more once the signal is aborted', async () => {
  const controller = new AbortController();
  const read: string[] = [];
  const skill = await skillWith(['a', 'b', 'c'], (path) => {
    read.push(path);
    controller.abort(new Error('enough'));
    return new Uint8Array();
  });
  const planned = loadScriptPlan(skill, { path: 'scripts/a.sh' }, { signal: controller.signal });
  await expect(planned).rejects.toThrow('enough');
  expect(read).toEqual(['a']);
});

it.each(['SKILL.md', 'tools/scripts/a.sh', 'scripts/none.sh', 'scripts'])('are no script: %s', async (path) => {
  const skill = await skillWith(['tools/scripts/a.sh']);
  await expect(loadScriptPlan(skill, { path })).rejects.toMatchObject({ code: 'resource-unknown' });
});

it('have the same digest in any order, and another if one is added', async () => {
  const [one, other, more] = [await plan(['a', 'b']), await plan(['b', 'a']), await plan(['a', 'b', 'c'])];
  expect(other.digest).toBe(one.digest);
  expect(more.digest).not.toBe(one.digest);
});

it('have another digest if a name looks like a digest and the name of a further file', async () => {
  const [x, y] = ['x', 'y'].map((text) => new TextEncoder().encode(text));
  const two = await plan(['a', 'b'], (path) => (path === 'a' ? x : y) ?? new Uint8Array());
  const one = await plan([`a${await digestBytes(x ?? new Uint8Array())}b`], y);
  expect(one.digest).not.toBe(two.digest);
});

it('answers files that a disk cannot have side by side in words', async () => {
  const both = await plan(['a', 'a/b']);
  await expect(processRunner().run(both)).rejects.toMatchObject({ code: 'script-unsupported' });
});
