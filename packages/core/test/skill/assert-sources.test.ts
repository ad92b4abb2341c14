import { describe, expect, it } from 'vitest';
import {
  cacheSource,
  createToolkit,
  filterSource,
  loadCatalog,
  memorySource,
  overlaySource,
  renameSource,
  type SkillSource,
  watchCatalog,
} from '../../src/index.ts';

const memory = memorySource({});
const advice = 'Create sources with `fileSource` or `clientPreset`, and await promises.';

describe('what is passed instead of sources', () => {
  it.each<[unknown, string]>([
    [undefined, 'Expected a list of sources, not undefined.'],
    [Promise.resolve([memory]), 'Expected a list of sources, not a promise.'],
    [memory, 'Expected a list of sources, not a value of type object.'],
    ['./skills', 'Expected a list of sources, not a value of type string.'],
    [[undefined], 'Source 1 is undefined.'],
    [[null], 'Source 1 is null.'],
    [[Promise.resolve(memory)], 'Source 1 is a promise.'],
    [[[memory]], 'Source 1 is a list.'],
    [[{ ...memory, id: 5 }], 'Source 1 has no `id`.'],
    [[memory, { ...memory, scope: undefined }], 'Source 2 has no `scope`.'],
  ])('is named (%#)', async (given, problem) => {
    const sources = given as SkillSource[];
    const error = { code: 'options-invalid', message: `${problem} ${advice}` };
    await expect(loadCatalog(sources)).rejects.toMatchObject(error);
    await expect(watchCatalog(sources, { onChange: () => {} })).rejects.toMatchObject(error);
  });

  it.each<[string, (source: SkillSource) => unknown]>([
    ['cacheSource', (source) => cacheSource(source)],
    ['filterSource', (source) => filterSource(source, () => true)],
    ['renameSource', (source) => renameSource(source, (name) => name)],
    ['overlaySource', (source) => overlaySource(memory, source)],
  ])('is named by %s', (_, create) => {
    expect(() => create([memory] as unknown as SkillSource)).toThrow(/^Source [12] is a list\./);
  });
});

describe('what is passed instead of a catalog', () => {
  it.each<[unknown, string]>([
    [loadCatalog([]), 'a promise'],
    [null, 'null'],
    [memory, 'a value of type object'],
  ])('is named (%#)', (given, kind) => {
    expect(() => createToolkit(given as never)).toThrow(
      `Expected a catalog, not ${kind}. \`loadCatalog\` returns a promise of one: await it.`,
    );
  });

  it('is named to the application, not to the model, if a function returns it', async () => {
    const events: string[] = [];
    const { prepare, tools } = createToolkit(() => undefined as never, {
      onEvent: (event) => events.push(event.type === 'tool-failed' ? event.reason : event.type),
    });
    await expect(prepare([])).rejects.toMatchObject({ code: 'options-invalid' });
    expect(await tools[0]?.execute({ name: 'pdf' })).toMatchObject({ details: { code: 'tool-failed' } });
    expect(events).toEqual([expect.stringContaining('Expected a catalog, not undefined.')]);
  });
});

it('refuses a profile that does not exist, because it would be the weakest', async () => {
  await expect(loadCatalog([memory], { profile: 'stict' as 'strict' })).rejects.toMatchObject({
    code: 'options-invalid',
    message: '`profile` must be one of strict, lenient, portable, not `stict`.',
  });
});
