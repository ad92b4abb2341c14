// The tool for files is there where there are files, and costs nothing where there are none.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { fileSource } from '../../src/node/discovery/file-source.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import type { SkillToolkit } from '../../src/toolkit/skill-toolkit.ts';
import { createToolkit } from '../../src/toolkit/toolkit.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../node/temporary-directory.ts';

const skillsWithoutFiles = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}/SKILL.md`, skillText(`s${index}`)]));

async function makeToolkit(count: number, change: (source: SkillSource) => SkillSource = (source) => source) {
  const root = await makeTemporaryDirectory();
  await writeTree(root, skillsWithoutFiles(count));
  return { root, toolkit: createToolkit(await loadCatalog([change(fileSource(root))])) };
}

async function offeredBy(toolkit: SkillToolkit): Promise<unknown> {
  const { withheld, system } = await toolkit.prepare([]);
  const isMentioned = system.includes('read_skill_resource');
  const tools = toolkit.tools.map(({ name }) => name).filter((name) => !withheld.includes(name));
  return { tools, withheld, isMentioned };
}

const withFiles = { tools: ['activate_skill', 'read_skill_resource'], withheld: [], isMentioned: true };
const withoutFiles = { tools: ['activate_skill'], withheld: ['read_skill_resource'], isMentioned: false };

it('offers no tool for files while no skill on the disk has any', async () => {
  const { root, toolkit } = await makeToolkit(3);
  const offered = [await offeredBy(toolkit)];
  await writeTree(root, { 's1/references/x.md': 'x' });
  offered.push(await offeredBy(toolkit));
  await rm(join(root, 's1/references'), { recursive: true });
  offered.push(await offeredBy(toolkit));
  expect(offered).toEqual([withoutFiles, withFiles, withoutFiles]);
});

it('offers the tool if listing files takes too long or fails', async () => {
  const broken = (source: SkillSource): SkillSource => ({
    ...source,
    listFiles: () => Promise.reject(new Error('The disk is gone.')),
  });
  const many = await makeToolkit(65);
  const unknown = await makeToolkit(1, broken);
  expect([await offeredBy(many.toolkit), await offeredBy(unknown.toolkit)]).toEqual([withFiles, withFiles]);
});

it('offers the tool if instructions are too long for one answer', async () => {
  const { root } = await makeToolkit(1);
  await writeTree(root, { 'long/SKILL.md': skillText('long', 'Line.\n'.repeat(10_000)) });
  expect(await offeredBy(createToolkit(await loadCatalog([fileSource(root)])))).toEqual(withFiles);
});
