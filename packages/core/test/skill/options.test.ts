import { describe, expect, it } from 'vitest';
import { activateSkill, createToolkit, loadCatalog, memorySource, readerSource } from '../../src/index.ts';
import { fileSource, packageSources, pluginSource } from '../../src/node/index.ts';

describe('a misspelt option', () => {
  const trsuted: object = { trsuted: false };
  const reader = { list: async () => [], listFiles: async () => [], read: async () => undefined };
  const catalog = loadCatalog([]);

  it.each([
    ['fileSource', async () => fileSource('.', trsuted), 'trsuted'],
    ['memorySource', async () => memorySource({}, trsuted), 'trsuted'],
    ['readerSource', async () => readerSource(reader, { id: 'r', ...trsuted }), 'trsuted'],
    ['pluginSource', async () => pluginSource('.', trsuted), 'trsuted'],
    ['packageSources', async () => packageSources(trsuted), 'trsuted'],
    ['loadCatalog', async () => loadCatalog([], { seting: () => {} } as object), 'seting'],
    ['createToolkit', async () => createToolkit(await catalog, { mentions: { slahs: false } as object }), 'slahs'],
  ])('is refused by %s, because it would protect nothing', async (_title, create, key) => {
    await expect(create()).rejects.toMatchObject({
      code: 'options-invalid',
      message: expect.stringMatching(new RegExp(` must have no other keys than .*, but has \`${key}\`\\.$`)),
    });
  });
});

describe('a promise that was not awaited', () => {
  const catalog = loadCatalog([memorySource({ 'a/SKILL.md': '---\nname: a\ndescription: About a.\n---\nGo.\n' })]);
  const promise: object = Promise.resolve({});

  it.each([
    ['createToolkit', async () => createToolkit(await catalog, promise)],
    ['loadCatalog', async () => loadCatalog([], promise)],
    ['assertOptions', async () => createToolkit(await catalog).assertOptions(promise)],
  ])('is refused by %s, because its options would be ignored', async (_title, create) => {
    const message = '`options` must be an object, not a promise.';
    await expect(create()).rejects.toMatchObject({ code: 'options-invalid', message });
  });

  it('is refused as the catalog of an activation', async () => {
    const [skill] = (await catalog).skills;
    if (skill === undefined) throw new Error('Nothing was found.');
    const given: object = { catalog };
    await expect(activateSkill(skill, { ...given })).rejects.toMatchObject({
      code: 'options-invalid',
      message: 'Expected a catalog, not a promise. `loadCatalog` returns a promise of one: await it.',
    });
  });
});
