import { symlinkSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalog, memorySource } from '../../../src/index.ts';
import { fileSource, findSkillAt, scriptPath } from '../../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

it('returns the real path of a script, and of nothing else', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'x/SKILL.md': skillText('x'), 'x/scripts/a.sh': 'true', 'x/notes/b.sh': 'true' });
  await writeTree(root, { 'x/scripts/re\u0301sume\u0301.sh': 'true' });
  symlinkSync('/usr/bin/env', join(root, 'x/scripts/out.sh'));
  const catalog = await loadCatalog([fileSource(root)]);
  const [skill] = catalog.skills;
  if (skill === undefined) throw new Error('no skill');
  const path = await scriptPath(skill, 'scripts/a.sh');
  expect(path).toBe(join(await realpath(root), 'x/scripts/a.sh'));
  expect(await findSkillAt(catalog, path)).toBe(skill);
  // Archives made on macOS contain decomposed names, but people and models write composed ones.
  expect(await scriptPath(skill, 'scripts/r\u00e9sum\u00e9.sh')).toContain('x/scripts/re\u0301sume\u0301.sh');
  for (const [wrong, code] of [
    ['scripts/none.sh', 'resource-unknown'],
    ['notes/b.sh', 'resource-unknown'],
    ['SKILL.md', 'resource-unknown'],
    ['scripts/../../y', 'resource-outside-skill'],
  ] as const) {
    await expect(scriptPath(skill, wrong)).rejects.toMatchObject({ code });
  }
  await expect(scriptPath(skill, 'scripts/out.sh')).rejects.toMatchObject({
    code: expect.stringMatching(/^resource-/),
  });
  // The link appears once the files have been listed.
  const listing = { files: [{ path: 'scripts/out.sh', bytes: 1 }], truncated: false };
  const listed = { ...skill, source: { ...skill.source, listFiles: async () => listing } };
  await expect(scriptPath(listed, 'scripts/out.sh')).rejects.toMatchObject({ code: 'resource-outside-skill' });
  const files = { 'm/SKILL.md': skillText('m'), 'm/scripts/a.sh': 'true' };
  const [inMemory = skill] = (await loadCatalog([memorySource(files)])).skills;
  await expect(scriptPath(inMemory, 'scripts/a.sh')).rejects.toMatchObject({ code: 'resource-unknown' });
});
