import { loadCatalog, memorySource } from '@skillful/core';
import { expect, it, vi } from 'vitest';
import { readBundle } from '../src/bundle.ts';
import { skill } from './suites/fixture.ts';

const rule = vi.hoisted(() => ({ version: 'old' }));

vi.mock('../src/texts.ts', async (importActual) => ({
  ...(await importActual<typeof import('../src/texts.ts')>()),
  toSearchable: (text: string) => `${text} by the ${rule.version} rule`,
}));

it('has another digest if its words are separated by another rule, so that the skill is sent again', async () => {
  const { skills } = await loadCatalog([memorySource(skill('pdf', 'Fills forms.'))]);
  const digestBy = async (version: string) => {
    rule.version = version;
    const [bundle] = await Promise.all(skills.map((each) => readBundle(each, { maxFileBytes: 9, signal: undefined })));
    return bundle?.digest;
  };
  const [old, same, changed] = [await digestBy('old'), await digestBy('old'), await digestBy('new')];
  expect([old === same, old === changed]).toEqual([true, false]);
});
