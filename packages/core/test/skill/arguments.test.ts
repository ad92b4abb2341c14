// Arguments that an application without TypeScript mixes up, above all those that would decide something else than it meant.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  activateSkill,
  createSkillIndex,
  createToolkit,
  definePolicy,
  explainPolicy,
  filterSource,
  hybridIndex,
  loadCatalog,
  loadScriptPlan,
  memorySource,
  readBodies,
  readSkillResource,
  renameSource,
  resolveSkill,
  watchCatalog,
} from '../../src/index.ts';
import {
  bubblewrapRunner,
  clientPreset,
  fileSource,
  findProject,
  loadInstructionFiles,
  loadSettings,
  ownSkillsDirectory,
  packageSources,
  pluginSource,
  processRunner,
  readSmallText,
  removeSkill,
  setProjectTrusted,
  setSkillEnabled,
  settingsPath,
} from '../../src/node/index.ts';

const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\nGo.\n' });
const catalog = await loadCatalog([source]);
const [skill] = catalog.skills;
if (skill === undefined) throw new Error('Nothing was found.');
const home = mkdtempSync(join(tmpdir(), 'arguments-'));
const settings = { home, environment: {} };
afterAll(() => rmSync(home, { recursive: true }));

/** Passes a value of another type, as JavaScript can. */
const wrong = (value: unknown): never => value as never;

async function expectRefusal(call: () => unknown, message: string): Promise<void> {
  await expect((async () => call())()).rejects.toMatchObject({ code: 'options-invalid', message });
}

describe('a decision that is no boolean', () => {
  it.each(['false', 1, undefined, null])('trusts no project: %j', async (trusted) => {
    const given = typeof trusted === 'string' ? '`false`' : trusted === 1 ? 'a value of type number' : String(trusted);
    await expectRefusal(
      () => setProjectTrusted(home, wrong(trusted), settings),
      `\`trusted\` must be true or false, not ${given}.`,
    );
    expect((await loadSettings(settings)).trustedProjects).toEqual([]);
  });

  it('switches no skill on', async () => {
    await setSkillEnabled('user:pdf', false, settings);
    await expectRefusal(
      () => setSkillEnabled('user:pdf', wrong('false'), settings),
      '`enabled` must be true or false, not `false`.',
    );
    expect((await loadSettings(settings)).isEnabled('user:pdf')).toBe(false);
  });
});

describe('a permission that is no boolean', () => {
  it.each([
    ['allowUnsafe', (no: never) => fileSource(home, { allowUnsafe: no })],
    ['allowExternal', (no: never) => fileSource(home, { allowExternal: no })],
    ['allowUnsafe', (no: never) => clientPreset('claude', { ...settings, allowUnsafe: no })],
    ['allowExternalPaths', (no: never) => clientPreset('claude', { ...settings, allowExternalPaths: no })],
    ['allowUnsafe', (no: never) => readSmallText(home, 10, { allowUnsafe: no })],
    ['transitive', (no: never) => packageSources({ cwd: home, transitive: no })],
    ['network', (no: never) => bubblewrapRunner({ network: no })],
  ])('is not given by `%s`', (name, call) =>
    expectRefusal(() => call(wrong('false')), `\`${name}\` must be true or false, not \`false\`.`),
  );
});

it.each([
  ['input', { input: 5 }],
  ['arguments', { arguments: '--all' }],
])('a script gets no `%s` of another type', async (name, given) => {
  const planning = loadScriptPlan(skill, wrong({ path: 'scripts/a.sh', ...given }));
  await expect(planning).rejects.toMatchObject({ code: 'options-invalid', message: expect.stringContaining(name) });
});

describe('a place', () => {
  it.each([fileSource, pluginSource])('is not the working directory because a path is empty: %o', (create) =>
    expectRefusal(() => create(''), 'The path of a source is empty. For the working directory, pass `.`.'),
  );

  it.each([
    ['stopAt', 'git, root', (word: never) => findProject(home, word)],
    ['order', 'project-first, user-first', (word: never) => clientPreset('claude', { ...settings, order: word })],
  ])('is not searched because of a misspelt `%s`', (name, choices, call) =>
    expectRefusal(() => call(wrong('git-root')), `\`${name}\` must be one of ${choices}, not \`git-root\`.`),
  );

  it('does not count as the home directory because it is the working directory', () =>
    expectRefusal(
      () => clientPreset('claude', { home: '', environment: {} }),
      '`home` is empty. For the home directory of the system, leave it out.',
    ));
});

it.each([
  ['onChange', { onChange: null }, 'null'],
  ['onError', { onError: 'log' }, 'a value of type string'],
])('a watch has a listener that can be called: %s', (name, options, given) =>
  expectRefusal(() => watchCatalog([source], wrong(options)), `\`${name}\` must be a function, not ${given}.`),
);

it('a callback that forgets to return the settings switches nothing on', () =>
  expectRefusal(
    () => loadCatalog([source], { settings: wrong(() => {}) }),
    '`settings().isEnabled` must be a function, not undefined.',
  ));

describe('a misspelt word in a question to a policy', () => {
  const policy = definePolicy({ rules: [{ actor: 'model', action: 'run', effect: 'deny' }] });

  it.each([
    [{ actor: 'model', action: 'rn' }, 'The request has the action `rn`, which does not exist. Did you mean `run`?'],
    [
      { actor: 'modell', action: 'run' },
      'The request has the actor `modell`, which does not exist. Did you mean `model`?',
    ],
    [
      { actor: 'model' },
      'The request has the action `undefined`, which does not exist. Expected one of list, activate, read, run.',
    ],
    [Promise.resolve(), '`request` must be an object, not a promise.'],
  ])('is not answered with `allow`: %j', (request, message) =>
    expectRefusal(() => explainPolicy(policy, skill, wrong(request)), message),
  );
});

describe('settings', () => {
  it.each([
    ['settingsPath', (name: never) => settingsPath({ ...settings, name })],
    ['ownSkillsDirectory', (name: never) => ownSkillsDirectory('user', { ...settings, name })],
    ['loadInstructionFiles', (name: never) => loadInstructionFiles({ ...settings, name })],
  ])('%s refuses a name that leads elsewhere', async (_title, call) => {
    const expected = 'expected letters, digits, dots, hyphens and underscores, starting with a letter or digit.';
    await expectRefusal(() => call(wrong('../other')), `\`name\` is \`../other\`; ${expected}`);
    await expectRefusal(() => call(wrong('')), `\`name\` is \`\`; ${expected}`);
  });

  it('has a directory for users and one for projects only', () =>
    expectRefusal(
      () => ownSkillsDirectory(wrong('usr'), settings),
      '`scope` must be one of user, project, not `usr`.',
    ));
});

describe('something else than a skill', () => {
  const expected = 'Expected a skill of a catalog, not';
  const resolution = wrong(resolveSkill(catalog, 'pdf'));

  it.each([
    ['activateSkill', (given: never) => activateSkill(given)],
    ['readSkillResource', (given: never) => readSkillResource(given, 'a.md')],
    ['loadScriptPlan', (given: never) => loadScriptPlan(given, { path: 'scripts/a.sh' })],
    ['setSkillEnabled', (given: never) => setSkillEnabled(given, false, settings)],
    ['removeSkill', (given: never) => removeSkill(given)],
  ])('is refused by %s', async (_title, call) => {
    await expectRefusal(() => call(wrong(Promise.resolve(skill))), `${expected} a promise.`);
    await expectRefusal(() => call(wrong(undefined)), `${expected} undefined.`);
    await expectRefusal(
      () => call(resolution),
      `${expected} a value of type object. \`resolveSkill\` returns one as \`skill\` if it found one.`,
    );
  });

  it.each([
    ['createSkillIndex', (given: never) => createSkillIndex(given)],
    ['readBodies', (given: never) => readBodies(given)],
  ])('is refused by %s instead of a list', async (_title, call) => {
    const list = 'must be a list of skills, such as those of `catalog.skills`, not';
    await expectRefusal(() => call(wrong(catalog)), `\`skills\` ${list} a value of type object.`);
    await expectRefusal(() => call(wrong(Promise.resolve([]))), `\`skills\` ${list} a promise.`);
  });
});

describe('something else than a function', () => {
  it.each([
    ['keep', () => filterSource(source, wrong(['pdf']))],
    ['rename', () => renameSource(source, wrong('acme/'))],
    ['embed', () => hybridIndex(wrong({}))],
    ['rerank', () => hybridIndex({ embed: async () => [], rerank: wrong({}) })],
    ['onEvent', () => createToolkit(catalog, { onEvent: wrong([]) })],
    ['createIndex', () => createToolkit(catalog, { createIndex: wrong(createSkillIndex(catalog.skills)) })],
    ['baseline', () => createToolkit(catalog, { baseline: wrong(loadCatalog([source])) })],
    ['settings', () => loadCatalog([source], { settings: wrong(Promise.resolve({})) })],
  ])('is refused as `%s`', (name, call) =>
    expect((async () => call())()).rejects.toMatchObject({
      code: 'options-invalid',
      message: expect.stringMatching(new RegExp(`^\`${name}\` must be a function, not (a|undefined)`)),
    }),
  );
});

describe('an object without the functions that a toolkit calls', () => {
  it.each([
    [{ runner: processRunner }, '`runner` must be an object with the function `run`, such as `bubblewrapRunner()`.'],
    [
      { tracer: { getTracer() {} } },
      "`tracer` must be an object with the function `startActiveSpan`, such as `trace.getTracer('my-app')`.",
    ],
    [
      { consent: { store: {} } },
      '`consent.store` must be an object with the functions `get`, `set`, `delete`, such as `new Map()`.',
    ],
  ])('is refused before a request needs it: %j', (options, message) =>
    expectRefusal(() => createToolkit(catalog, wrong(options)), message),
  );
});

describe('a `Map` in place of an object, which has no keys', () => {
  it.each([
    ['consent', () => createToolkit(catalog, { consent: wrong(new Map()) })],
    ['files', () => memorySource(wrong(new Map([['pdf/SKILL.md', 'text']])))],
  ])('is refused as `%s`', (name, call) => expectRefusal(call, `\`${name}\` must be an object, not a Map.`));
});

it('refuses options that are null', () =>
  expectRefusal(() => createToolkit(catalog, wrong(null)), '`options` must be an object, not null.'));

it('refuses to find a skill without a name, such as a missing argument of a command', () =>
  expectRefusal(() => resolveSkill(catalog, wrong(undefined)), 'The name of a skill must be text, not undefined.'));

it('refuses texts of skills that are still being read', () =>
  expectRefusal(
    () => createSkillIndex(catalog.skills, { bodies: wrong(readBodies(catalog.skills)) }),
    '`bodies` must be a map from skills to texts, not a promise.',
  ));

it('refuses files in memory that are grouped by skill, because their keys are paths', () =>
  expectRefusal(
    () => memorySource(wrong({ pdf: { 'SKILL.md': 'text' } })),
    'The content of `pdf` is a value of type object, expected text or a Uint8Array.',
  ));
