import { describe, expect, it } from 'vitest';
import { createToolkit, loadCatalog, memorySource, readerSource } from '../../src/index.ts';
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
