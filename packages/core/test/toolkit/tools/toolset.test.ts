// The tool for files is there where there are files, and costs nothing where there are none.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { fileSource } from '../../../src/node/discovery/file-source.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { memorySource } from '../../../src/sources/memory.ts';
import type { SkillToolkit } from '../../../src/toolkit/skill-toolkit.ts';
import { createToolkit } from '../../../src/toolkit/toolkit.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../../node/temporary-directory.ts';

const skillsWithoutFiles = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}/SKILL.md`, skillText(`s${index}`)]));

async function makeToolkit(count: number, change: (source: SkillSource) => SkillSource = (source) => source) {
  const root = await makeTemporaryDirectory();
  await writeTree(root, skillsWithoutFiles(count));
  return { root, toolkit: createToolkit(await loadCatalog([change(fileSource(root))])) };
}

async function offeredBy(toolkit: SkillToolkit): Promise<unknown> {
  const { hiddenTools, system } = await toolkit.prepare([]);
  const isMentioned = system.includes('read_skill_resource');
  const tools = toolkit.tools.map(({ name }) => name).filter((name) => !hiddenTools.includes(name));
  return { tools, hiddenTools, isMentioned };
}

const withFiles = {
  tools: ['activate_skill', 'read_skill_resource'],
  hiddenTools: ['list_skill_resources'],
  isMentioned: true,
};
const withManyFiles = {
  tools: ['activate_skill', 'read_skill_resource', 'list_skill_resources'],
  hiddenTools: [],
  isMentioned: true,
};
const withoutFiles = {
  tools: ['activate_skill'],
  hiddenTools: ['read_skill_resource', 'list_skill_resources'],
  isMentioned: false,
};
const manyFiles = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`s1/data/${index}.md`, 'x']));

it('offers no tool for files while no skill on the disk has any', async () => {
  const { root, toolkit } = await makeToolkit(3);
  const offered = [await offeredBy(toolkit)];
  await writeTree(root, { 's1/references/x.md': 'x' });
  offered.push(await offeredBy(toolkit));
  await rm(join(root, 's1/references'), { recursive: true });
  offered.push(await offeredBy(toolkit));
  expect(offered).toEqual([withoutFiles, withFiles, withoutFiles]);
});

it('offers the tools if listing files would take too long or fails', async () => {
  const broken = (source: SkillSource): SkillSource => ({
    ...source,
    listFiles: () => Promise.reject(new Error('The disk is gone.')),
  });
  const [many, most] = [await makeToolkit(65), await makeToolkit(257)];
  const unknown = await makeToolkit(1, broken);
  expect([await offeredBy(many.toolkit), await offeredBy(most.toolkit)]).toEqual([withFiles, withManyFiles]);
  expect(await offeredBy(unknown.toolkit)).toEqual(withManyFiles);
});

it('offers the tool if instructions are too long for one answer', async () => {
  const { root } = await makeToolkit(1);
  await writeTree(root, { 'long/SKILL.md': skillText('long', 'Line.\n'.repeat(10_000)) });
  expect(await offeredBy(createToolkit(await loadCatalog([fileSource(root)])))).toEqual(withFiles);
});

it('offers the tool that lists files while a skill has more than its activation names, and the same tools from then on', async () => {
  const { root, toolkit } = await makeToolkit(3);
  await writeTree(root, { 's0/data/a.md': 'x' });
  const few = [await offeredBy(toolkit)];
  await writeTree(root, manyFiles);
  few.push(await offeredBy(toolkit));
  const later = createToolkit(await loadCatalog([fileSource(root)]));
  const many = [await offeredBy(later)];
  await rm(join(root, 's1/data'), { recursive: true });
  many.push(await offeredBy(later));
  expect(few).toEqual([withFiles, withFiles]);
  expect(many).toEqual([withManyFiles, withManyFiles]);
});

it('does so as the application says, whatever the skills have', async () => {
  const { root } = await makeToolkit(2);
  await writeTree(root, { 's0/a.md': 'x' });
  const offered = async (files: boolean) =>
    offeredBy(createToolkit(await loadCatalog([fileSource(root)]), { tools: { files } }));
  expect(await offered(true)).toEqual(withManyFiles);
  await writeTree(root, manyFiles);
  expect(await offered(false)).toEqual({ ...withFiles, hiddenTools: [] });
});

it('lists the files of some skills at once, not of all of them', async () => {
  let [listing, most] = [0, 0];
  const slow = (source: SkillSource): SkillSource => ({
    ...source,
    async list(options) {
      const { entries, ...rest } = await source.list(options);
      return { ...rest, entries: entries.map((entry) => ({ ...entry, hasFiles: true })) };
    },
    async listFiles(skill, options) {
      listing += 1;
      most = Math.max(most, listing);
      const files = await source.listFiles(skill, options);
      listing -= 1;
      return files;
    },
  });
  const { toolkit } = await makeToolkit(100, slow);
  expect([await offeredBy(toolkit), most]).toEqual([withFiles, 16]);
});

it('lists the files of each skill once, and does not wait for them if the call is aborted', async () => {
  const listed: string[] = [];
  let hangs = false;
  const counting = (source: SkillSource): SkillSource => ({
    ...source,
    async list(options) {
      const { entries, ...rest } = await source.list(options);
      return { ...rest, entries: entries.map((entry) => ({ ...entry, hasFiles: true })) };
    },
    listFiles(skill, options) {
      listed.push(skill.directory);
      return hangs ? new Promise(() => {}) : source.listFiles(skill, options);
    },
  });
  const { toolkit } = await makeToolkit(3, counting);
  for (let call = 0; call < 3; call += 1) expect(await offeredBy(toolkit)).toEqual(withFiles);
  expect(listed).toHaveLength(3);
  hangs = true;
  const signal = AbortSignal.abort(new Error('stopped'));
  const hanging = await makeToolkit(1, counting);
  await expect(hanging.toolkit.prepare([], { signal })).rejects.toThrow('stopped');
});

it('lets the model end a skill that a user activated, even if all skills are only for users', async () => {
  const text = '---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\nBody.\n';
  const catalog = await loadCatalog([memorySource({ 'manual/SKILL.md': text })]);
  const toolkit = createToolkit(catalog, { tools: { deactivate: true } });
  expect(toolkit.tools.map(({ name }) => name)).toEqual(['deactivate_skill']);
  const messages = [{ key: '1', role: 'user' as const, text: '/manual' }];
  const { hiddenTools, state } = await toolkit.prepare(messages);
  expect(hiddenTools).toEqual([]);
  const ended = await toolkit.tools[0]?.execute({ name: 'manual' }, { messages, state });
  expect(ended?.details).toEqual({ kind: 'deactivation', skill: 'manual' });
});
