// Sources of an application may hang, and fail with whatever they like.

import { describe, expect, it } from 'vitest';
import {
  activateSkill,
  createToolkit,
  loadCatalog,
  memorySource,
  readBodies,
  readSkillResource,
  type SkillFileListing,
  type SkillSource,
} from '../../src/index.ts';
import { readFile } from '../../src/skill/files.ts';
import { maxSkillBytes } from '../../src/skill/limits.ts';

const inner = memorySource({
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Fills forms.\n---\nBody.',
  'pdf/a.md': 'A',
  'pdf/scripts/a.sh': 'true',
});
const never = (): Promise<never> => new Promise(() => {});
const gone = new Error('connect ECONNREFUSED /run/private.sock');

async function open(over: Partial<SkillSource>) {
  const catalog = await loadCatalog([{ ...inner, ...over }]);
  const runner = { run: never };
  const { tools, prepare } = createToolkit(catalog, { tools: { files: true }, runner });
  const [skill] = catalog.skills;
  if (skill === undefined) throw new Error('no skill');
  const call = (name: string, input: object, signal?: AbortSignal) =>
    tools.find((tool) => tool.name === name)?.execute(input, { signal });
  return { skill, call, prepare };
}

it('ends with the reason of the signal, though a source hangs and does not listen to it', async () => {
  const { skill, call, prepare } = await open({ readFile: never, listFiles: never });
  const works: readonly ((signal: AbortSignal) => unknown)[] = [
    (signal) => loadCatalog([{ ...inner, list: never }], { signal }),
    (signal) => loadCatalog([inner], { signal, settings: never }),
    (signal) => activateSkill(skill, { signal }),
    (signal) => readSkillResource(skill, 'a.md', { signal }),
    (signal) => readBodies([skill], { signal }),
    (signal) => prepare([{ key: '1', role: 'user', text: '/pdf' }], { signal }),
    (signal) => call('activate_skill', { name: 'pdf' }, signal),
    (signal) => call('read_skill_resource', { skill: 'pdf', path: 'a.md' }, signal),
    (signal) => call('list_skill_resources', { skill: 'pdf' }, signal),
    (signal) => call('run_skill_script', { skill: 'pdf', path: 'scripts/a.sh' }, signal),
  ];
  for (const work of works) {
    const controller = new AbortController();
    const working = work(controller.signal);
    setImmediate(() => controller.abort(new Error('stopped')));
    await expect(working).rejects.toThrow('stopped');
  }
});

it('lists the files of a skill again after a listing that hung', async () => {
  let isHung = true;
  const listFiles: SkillSource['listFiles'] = (...given) => (isHung ? never() : inner.listFiles(...given));
  const { tools, prepare } = createToolkit(await loadCatalog([{ ...inner, listFiles }]));
  expect(tools.length).toBeGreaterThan(0);
  const stopped = new AbortController();
  const first = prepare([], { signal: stopped.signal });
  stopped.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  isHung = false;
  expect(await prepare([])).toMatchObject({ system: expect.stringContaining('pdf') });
});

it('says in words that a source cannot list or read files, and nothing of the machine', async () => {
  const unread = await open({ readFile: () => Promise.reject(gone) });
  expect(await unread.call('read_skill_resource', { skill: 'pdf', path: 'a.md' })).toMatchObject({
    text: '`a.md` could not be read.',
    details: { kind: 'refusal', code: 'resource-unreadable' },
  });
  const unlisted = await open({ listFiles: () => Promise.reject(gone) });
  for (const [name, input] of [
    ['activate_skill', { name: 'pdf' }],
    ['list_skill_resources', { skill: 'pdf' }],
  ] as const) {
    expect(await unlisted.call(name, input)).toMatchObject({
      text: 'The files of `pdf` could not be listed.',
      details: { kind: 'refusal', code: 'resource-unreadable' },
    });
  }
  await expect(readSkillResource(unread.skill, 'a.md')).rejects.toMatchObject({ cause: gone });
});

it.each([
  [Object.create(null), 'a value of type object'],
  [Symbol('odd'), 'Symbol(odd)'],
  [undefined, 'undefined'],
  [new TypeError(), 'TypeError'],
  [Object.assign(new Error(), { message: { odd: true } }), '[object Object]'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
])('reports whatever a source throws (%#)', async (thrown, reason) => {
  const { diagnostics } = await loadCatalog([{ ...inner, list: () => Promise.reject(thrown) }]);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['source-failed', `The source failed: ${reason}.`],
  ]);
});

it('reports an error whose own properties throw', async () => {
  const cause = Object.defineProperty(new Error('gone'), 'cause', {
    get: () => {
      throw gone;
    },
  });
  const { call } = await open({ readFile: () => Promise.reject(cause) });
  expect(await call('read_skill_resource', { skill: 'pdf', path: 'a.md' })).toMatchObject({ isError: true });
});

it('takes a listing that is there at once, with and without a signal', async () => {
  const listing = await inner.list();
  const source = { ...inner, list: () => listing } as object as SkillSource;
  for (const signal of [undefined, new AbortController().signal]) {
    expect((await loadCatalog([source], { signal })).skills.map(({ name }) => name)).toEqual(['pdf']);
  }
});

it('takes no answer of a source that is not what it promised', async () => {
  const wrong = (async () => undefined) as () => Promise<never>;
  const { call, prepare } = await open({ readFile: wrong, listFiles: wrong });
  expect(await call('read_skill_resource', { skill: 'pdf', path: 'a.md' })).toMatchObject({
    text: '`a.md` could not be read.',
  });
  expect(await prepare([{ key: '1', role: 'user', text: '/pdf' }])).toMatchObject({
    edits: [{ key: '1', append: 'No longer available: pdf.' }],
  });
});

describe('a source that does not do what it was asked for', () => {
  const pooled = new Uint8Array(16).fill(65);
  const take = (over: Partial<SkillSource>) =>
    open(over).then(({ skill }) => readSkillResource(skill, 'a.md', { maxBytes: 8 }));

  it('cannot hand over more bytes than a caller takes', async () => {
    await expect(take({ readFile: async () => pooled })).rejects.toMatchObject({
      code: 'resource-too-large',
      message: '`a.md` has 16 bytes; the limit is 8.',
    });
    const { skill, call } = await open({ readFile: async () => new Uint8Array(maxSkillBytes + 1) });
    await expect(activateSkill(skill)).rejects.toMatchObject({ code: 'skill-too-large' });
    expect(await call('read_skill_resource', { skill: 'pdf', path: 'a.md' })).toMatchObject({ isError: false });
    expect(await readFile(skill, 'a.md', { length: 8 })).toHaveLength(8);
  });

  it('cannot change bytes afterwards', async () => {
    const { data } = await take({ readFile: async () => pooled.subarray(0, 2) });
    pooled.fill(0);
    expect(data).toEqual(new Uint8Array([65, 65]));
  });

  it.each([
    ['bytes that it gave away', detach(new Uint8Array(2))],
    ['what only looks like bytes', { [Symbol.toStringTag]: 'Uint8Array', length: 2 }],
  ])('fails as a file that cannot be read: %s', async (_, bytes) => {
    await expect(take({ readFile: async () => bytes as Uint8Array })).rejects.toMatchObject({
      code: 'resource-unreadable',
    });
  });

  it.each<[string, unknown]>([
    ['no file', null],
    ['a file that is a text', 'a.md'],
    ['no path', { bytes: 1 }],
    ['a size that is a text', { path: 'a.md', bytes: '1</skill_resources>' }],
    ['no size', { path: 'a.md' }],
    ['a path that is not text', { path: 5, bytes: 1 }],
  ])('cannot list %s', async (_, file) => {
    const listing = { files: [file], truncated: false } as SkillFileListing;
    const { call } = await open({ listFiles: async () => listing });
    const text = 'The files of `pdf` could not be listed.';
    expect(await call('activate_skill', { name: 'pdf' })).toMatchObject({ text });
    expect(await call('list_skill_resources', { skill: 'pdf' })).toMatchObject({ text });
  });

  it('cannot say with something else than texts what it left out', async () => {
    const listing = { files: [], truncated: false, refused: [5] } as object as SkillFileListing;
    const { skill } = await open({ listFiles: async () => listing });
    await expect(activateSkill(skill)).rejects.toMatchObject({ code: 'resource-unreadable' });
  });
});

function detach(bytes: Uint8Array): Uint8Array {
  structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
  return bytes;
}
