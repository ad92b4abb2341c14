import { join } from 'node:path';
import { loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { expect, it } from 'vitest';
import { findNestedSkills } from '../../src/checking/overlooked.ts';
import { makePlace, skillText, writeTree } from '../command.ts';

it('finds skills inside a skill, but not what an interrupted write left there', async () => {
  const { work } = await makePlace();
  await writeTree(work, {
    'pdf/SKILL.md': skillText('pdf'),
    'pdf/inner/SKILL.md': skillText('inner'),
    'pdf/.inner.0123456789ab.tmp/SKILL.md': skillText('inner'),
    'pdf/.inner.0123456789ab.trash/SKILL.md': skillText('inner'),
  });
  const catalog = await loadCatalog([fileSource(work)]);
  expect(findNestedSkills(catalog).map(({ code, location }) => [code, location])).toEqual([
    ['skill-nested', join(work, 'pdf/inner/SKILL.md')],
  ]);
});
