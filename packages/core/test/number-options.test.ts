import { describe, expect, it } from 'vitest';
import {
  activateSkill,
  cacheSource,
  createSkillIndex,
  createToolkit,
  hybridIndex,
  loadCatalog,
  memorySource,
  planCatalog,
  readerSource,
  readSkillResource,
  sandboxRunner,
  watchCatalog,
} from '../src/index.ts';
import {
  bubblewrapRunner,
  clientPreset,
  fileSource,
  loadInstructionFiles,
  processRunner,
  readSmallText,
  setSkillEnabled,
} from '../src/node/index.ts';

const files = { 'pdf/SKILL.md': '---\nname: pdf\ndescription: Fills forms.\n---\nFill them.\n', 'pdf/a.md': 'text' };
const memory = memorySource(files);
const catalog = await loadCatalog([memory]);
const [skill] = catalog.skills;
if (skill === undefined) throw new Error('The catalog has no skill.');
const onDisk = fileSource('.');
const here = { directory: '.', location: 'SKILL.md' };
const reader = { list: async () => ['pdf'], listFiles: async () => ['a.md'], read: async () => new Uint8Array(8) };
const open = () => ({ run: async () => ({ exitCode: 0, stdout: '', stderr: '' }) });
const embed = async (texts: readonly string[]) => texts.map(() => [1]);
const watch = async (options: { interval?: number; patience?: number }) =>
  (await watchCatalog([memory], { onChange: () => {}, ...options })).close();
/** Nothing can be written below it. */
const settings = { home: '/dev/null', environment: {} };

type Use = (value: number) => unknown;

const wholeNumbers: Readonly<Record<string, Use>> = {
  depth: (depth) => fileSource('skills', { depth }),
  maxDirectories: (maxDirectories) => fileSource('skills', { maxDirectories }),
  'depth of a preset': (depth) => clientPreset('agents', { depth }),
  'maxBytes of instructions': (maxBytes) => loadInstructionFiles({ maxBytes }),
  'maxBytes of a small text': (maxBytes) => readSmallText('/dev/null', maxBytes),
  'maxOutput of processes': (maxOutput) => processRunner({ maxOutput }),
  'maxOutput of a sandbox': (maxOutput) => sandboxRunner(open, { name: 'mine', maxOutput }),
  processes: (processes) => bubblewrapRunner({ processes }),
  'maxBytes of a cache': (maxBytes) => cacheSource(memory, { maxBytes }),
  limit: (limit) => createSkillIndex(catalog.skills).search('pdf', { limit }),
  'limit of a hybrid search': (limit) => hybridIndex({ embed })(catalog.skills).search('pdf', { limit }),
  maxBytes: (maxBytes) => readSkillResource(skill, 'a.md', { maxBytes }),
  'maxBytes of a source of files': (maxBytes) => onDisk.readFile(here, 'a.md', { maxBytes }),
  'length of a source of files': (length) => onDisk.readFile(here, 'a.md', { length }),
  'maxBytes of a source in memory': (maxBytes) => memory.readFile(skill, 'a.md', { maxBytes }),
  'length of a source in memory': (length) => memory.readFile(skill, 'a.md', { length }),
  'length of a reader': (length) => readerSource(reader, { id: 'r' }).readFile(skill, 'a.md', { length }),
  'length of a cached file': async (length) => {
    const cache = cacheSource(memory);
    await cache.readFile(skill, 'a.md');
    return cache.readFile(skill, 'a.md', { length });
  },
  count: (count) => planCatalog(catalog, { budget: { count } }),
};

const amounts: Readonly<Record<string, Use>> = {
  'timeout of processes': (timeout) => processRunner({ timeout }),
  'timeout of a sandbox': (timeout) => sandboxRunner(open, { name: 'mine', timeout }),
  lockTimeout: (lockTimeout) => setSkillEnabled('user:pdf', false, { ...settings, lockTimeout }),
  maxAge: (maxAge) => cacheSource(memory, { maxAge }),
  interval: (interval) => watch({ interval }),
  patience: (patience) => watch({ patience }),
  'timeout of a search': (timeout) => hybridIndex({ embed, timeout }),
  'timeout of a consent': (timeout) => createToolkit(catalog, { consent: { timeout } }),
  tokens: (tokens) => planCatalog(catalog, { budget: { tokens } }),
  characters: (characters) => planCatalog(catalog, { budget: { characters } }),
  'tokens of a toolkit': (tokens) => createToolkit(async () => catalog, { plan: { budget: { tokens } } }),
  descriptionLimit: (descriptionLimit) => planCatalog(catalog, { descriptionLimit }),
  tokensPerSkill: (tokensPerSkill) => createToolkit(catalog, { reattach: { tokensPerSkill } }),
  'tokens of reattach': (tokens) => createToolkit(catalog, { reattach: { tokens } }),
  'limit of an activation': (limit) => activateSkill(skill, { limit }),
};

describe('options that are numbers', () => {
  it.each(Object.entries({ ...wholeNumbers, ...amounts }))('must be numbers from 0: %s', async (option, use) => {
    const [name] = option.split(' ');
    for (const value of [Number.NaN, -1, '5' as unknown as number, null as unknown as number]) {
      const message = expect.stringMatching(new RegExp(`^\`${name}\` must be a (whole )?number from [01], not `));
      await expect((async () => use(value))(), String(value)).rejects.toMatchObject({
        code: 'options-invalid',
        message,
      });
    }
  });

  it.each(Object.entries(wholeNumbers))('must be whole numbers: %s', async (_, use) => {
    await expect((async () => use(1.5))()).rejects.toMatchObject({ code: 'options-invalid' });
  });

  it.each(Object.entries(amounts))('may have a fraction: %s', async (_, use) => {
    const used = (async () => use(4000.5))();
    // Settings cannot be written here.
    await expect(used.catch(({ code }) => code)).resolves.not.toBe('options-invalid');
  });

  it('say what was given instead', () => {
    expect(() => fileSource('skills', { depth: Number.NaN })).toThrow(
      '`depth` must be a whole number from 0, not NaN. For no limit, use `Infinity`.',
    );
    expect(() => fileSource('skills', { depth: '4' as unknown as number })).toThrow('not a value of type string.');
  });
});
