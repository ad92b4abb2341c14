import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { renameSource } from '../../src/sources/rename.ts';
import { skill, source } from './layer-fixture.ts';

describe('X19: an application whose callback', () => {
  const broken = new Error('no idea');
  const fail = (): never => {
    throw broken;
  };
  it.each([
    ['filterSource', 'failed: no idea', (inner: SkillSource) => filterSource(inner, fail)],
    ['renameSource', 'failed: no idea', (inner: SkillSource) => renameSource(inner, fail)],
    [
      'filterSource',
      'returned a promise, expected a boolean',
      (inner: SkillSource) => filterSource(inner, (async () => false) as unknown as () => boolean),
    ],
  ])('fails in %s, because it %s, loses that source only, and is told why', async (name, how, layer) => {
    const other = memorySource({ 'other/SKILL.md': skill('other') }, { id: 'other' });
    const { skills, diagnostics } = await loadCatalog([layer(source), other]);
    expect(skills.map((found) => found.name)).toEqual(['other']);
    const reason = `The callback of \`${name}\` ${how}`;
    expect(diagnostics).toMatchObject([{ code: 'source-failed', message: `The source failed: ${reason}.` }]);
    await expect(layer(source).list()).rejects.toMatchObject({ code: 'source-failed', message: reason });
  });
});
