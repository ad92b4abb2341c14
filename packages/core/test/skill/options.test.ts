import { describe, expect, it } from 'vitest';
import {
  activateSkill,
  compareCatalogs,
  createToolkit,
  loadCatalog,
  loadScriptPlan,
  memorySource,
  planCatalog,
  readerSource,
  readSkillResource,
  resolveSkill,
  type WatchCatalogOptions,
  watchCatalog,
} from '../../src/index.ts';
import { fileSource, findSkillAt, packageSources, pluginSource } from '../../src/node/index.ts';

const catalog = await loadCatalog([
  memorySource({ 'a/SKILL.md': '---\nname: a\ndescription: About a.\n---\nGo.\n', 'a/scripts/go.sh': 'exit' }),
]);
const [skill] = catalog.skills;
if (skill === undefined) throw new Error('Nothing was found.');
const call = { path: 'scripts/go.sh' };

describe('a misspelt option', () => {
  const trsuted: object = { trsuted: false };
  const chekPath: object = { chekPath: () => {} };
  const reader = { list: async () => [], listFiles: async () => [], read: async () => undefined };

  it.each([
    ['fileSource', async () => fileSource('.', trsuted), 'trsuted'],
    ['memorySource', async () => memorySource({}, trsuted), 'trsuted'],
    ['readerSource', async () => readerSource(reader, { id: 'r', ...trsuted }), 'trsuted'],
    ['pluginSource', async () => pluginSource('.', trsuted), 'trsuted'],
    ['packageSources', async () => packageSources(trsuted), 'trsuted'],
    ['loadCatalog', async () => loadCatalog([], { seting: () => {} } as object), 'seting'],
    [
      'watchCatalog',
      async () => watchCatalog([], { onChange: () => {}, previus: catalog } as WatchCatalogOptions),
      'previus',
    ],
    ['createToolkit', async () => createToolkit(catalog, { mentions: { slahs: false } as object }), 'slahs'],
    ['planCatalog', async () => planCatalog(catalog, { budegt: {} } as object), 'budegt'],
    ['activateSkill', async () => activateSkill(skill, chekPath), 'chekPath'],
    ['readSkillResource', async () => readSkillResource(skill, 'SKILL.md', chekPath), 'chekPath'],
    ['loadScriptPlan', async () => loadScriptPlan(skill, call, chekPath), 'chekPath'],
  ])('is refused by %s, because it would protect nothing', async (_title, create, key) => {
    await expect(create()).rejects.toMatchObject({
      code: 'options-invalid',
      message: expect.stringMatching(new RegExp(` has the unknown key \`${key}\`; expected one of .*\\.$`)),
    });
  });
});

it('has the options of the function in its message', async () => {
  const options = { onChange: () => {}, intervall: 5 } as WatchCatalogOptions;
  const message =
    '`options` has the unknown key `intervall`; expected one of onChange, onError, interval, patience, signal, settings, environment, profile, describeByBody, precedence.';
  await expect(watchCatalog([], options)).rejects.toMatchObject({ code: 'options-invalid', message });
});

describe('a promise that was not awaited', () => {
  const promise: object = Promise.resolve({});

  it.each([
    ['options', 'createToolkit', async () => createToolkit(catalog, promise)],
    ['options', 'loadCatalog', async () => loadCatalog([], promise)],
    ['options', 'watchCatalog', async () => watchCatalog([], promise as Parameters<typeof watchCatalog>[1])],
    ['options', 'planCatalog', async () => planCatalog(catalog, promise)],
    ['options', 'activateSkill', async () => activateSkill(skill, promise)],
    ['options', 'readSkillResource', async () => readSkillResource(skill, 'SKILL.md', promise)],
    ['options', 'loadScriptPlan', async () => loadScriptPlan(skill, call, promise)],
    ['options', 'assertOptions', async () => createToolkit(catalog).assertOptions(promise)],
    ['options.budget', 'planCatalog', async () => planCatalog(catalog, { budget: promise })],
    ['unlocks', 'createToolkit', async () => createToolkit(catalog, { unlocks: promise as Record<string, string[]> })],
    ['environment', 'loadCatalog', async () => loadCatalog([], { environment: promise })],
    ['files', 'memorySource', async () => memorySource(promise as Record<string, string>)],
  ])('is refused as `%s` of %s, because it would be ignored', async (name, _title, create) => {
    const message = `\`${name}\` must be an object, not a promise.`;
    await expect(create()).rejects.toMatchObject({ code: 'options-invalid', message });
  });

  const unawaited = promise as typeof catalog;

  it.each([
    ['activateSkill', async () => activateSkill(skill, { catalog: unawaited })],
    ['planCatalog', async () => planCatalog(unawaited)],
    ['resolveSkill', async () => resolveSkill(unawaited, 'a')],
    ['compareCatalogs', async () => compareCatalogs(catalog, unawaited)],
    ['findSkillAt', async () => findSkillAt(unawaited, '.')],
    ['loadCatalog', async () => loadCatalog([], { previous: unawaited })],
  ])('is refused as the catalog of %s', async (_title, use) => {
    await expect(use()).rejects.toMatchObject({
      code: 'options-invalid',
      message: 'Expected a catalog, not a promise. `loadCatalog` returns a promise of one: await it.',
    });
  });
});
