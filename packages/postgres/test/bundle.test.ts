import { loadCatalog, memorySource, type SkillSource } from '@skillful/core';
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

it('searches the name, the purpose and the body, each once', async () => {
  rule.version = 'old';
  const { skills } = await loadCatalog([memorySource(skill('pdf', 'Fills forms.', 'Use a pen.'))]);
  const [bundle] = await Promise.all(skills.map((each) => readBundle(each, { maxFileBytes: 9, signal: undefined })));
  const texts = bundle?.texts.map((text) => text.replace(' by the old rule', '').trim());
  expect(texts).toEqual(['pdf', 'Fills forms.', 'Use a pen.']);
});

it('reads no file that is larger than its listing says, and than the limit', async () => {
  const memory = memorySource({ ...skill('pdf', 'Fills forms.'), 'pdf/a.md': 'x'.repeat(10) });
  const shrunk: SkillSource = {
    ...memory,
    listFiles: async () => ({ files: [{ path: 'a.md', bytes: 1 }], truncated: false }),
  };
  const { skills } = await loadCatalog([shrunk]);
  const reading = Promise.all(skills.map((each) => readBundle(each, { maxFileBytes: 9, signal: undefined })));
  await expect(reading).rejects.toMatchObject({ code: 'resource-too-large' });
});

it('has another digest if the same bytes are divided in another way', async () => {
  const digestOf = async (a: string, b: string) => {
    const files = { ...skill('pdf', 'Fills forms.'), 'pdf/a.md': a, 'pdf/b.md': b };
    const [each] = (await loadCatalog([memorySource(files)])).skills;
    return each && (await readBundle(each, { maxFileBytes: 9, signal: undefined })).digest;
  };
  expect(await digestOf('xy', 'z')).not.toBe(await digestOf('x', 'yz'));
});
