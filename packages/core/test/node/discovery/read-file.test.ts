import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { activateSkill } from '../../../src/disclosure/activate.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import { memorySource } from '../../../src/sources/memory.ts';
import { countTurns } from '../../runtime/event-loop.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

interface Watched {
  readonly skills: readonly Skill[];
  /** Names of the skills whose `SKILL.md` was opened, in order. */
  readonly opened: readonly string[];
  /** The most files and directories that were open at once. */
  readonly mostOpen: () => number;
}

/** Finds skills, and watches the disk from then on. */
async function findWatched(count: number): Promise<Watched> {
  const root = await makeTemporaryDirectory();
  const name = (n: number): string => `s${String(n).padStart(4, '0')}`;
  await writeTree(root, Object.fromEntries(numbers(1, count).map((n) => [`${name(n)}/SKILL.md`, skillText(name(n))])));
  const opened: string[] = [];
  const open = new Set<number>();
  let mostOpen = 0;
  const files: FileSystem = {
    ...nodeFileSystem,
    open(path, flags) {
      const descriptor = nodeFileSystem.open(path, flags);
      open.add(descriptor);
      mostOpen = Math.max(mostOpen, open.size);
      const real = nodeFileSystem.realpath(path);
      if (real.endsWith('SKILL.md')) opened.push(basename(dirname(real)));
      return descriptor;
    },
    close(descriptor) {
      open.delete(descriptor);
      nodeFileSystem.close(descriptor);
    },
  };
  const { skills } = await loadCatalog([createFileSource(files, root, {})]);
  opened.length = 0;
  mostOpen = 0;
  return { skills, opened, mostOpen: () => mostOpen };
}

describe('L03: activations that start at once', () => {
  it('read one file after the other in order, one skill open at a time, and let the event loop turn', async () => {
    const { skills, opened, mostOpen } = await findWatched(400);
    const turns = await countTurns(() => Promise.all(skills.map((skill) => activateSkill(skill))));
    expect(turns).toBeGreaterThanOrEqual(100 - 1);
    expect(opened).toEqual(skills.map(({ name }) => name));
    // The directory and its file.
    expect(mostOpen()).toBe(2);
  });

  it('read at most four files before the event loop turns', async () => {
    const { skills, opened } = await findWatched(40);
    const activations = skills.map((skill) => activateSkill(skill));
    for (let microtask = 0; microtask < 100; microtask += 1) await Promise.resolve();
    expect(opened).toEqual(skills.slice(0, 4).map(({ name }) => name));
    await Promise.all(activations);
  });

  it('read nothing if they are aborted while they wait', async () => {
    const { skills, opened } = await findWatched(40);
    const controller = new AbortController();
    const activations = skills.map((skill) => activateSkill(skill, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(activations);
    expect(opened.length).toBeLessThanOrEqual(4);
    expect(outcomes.slice(4)).toEqual(skills.slice(4).map(() => ({ status: 'rejected', reason: new Error('enough') })));
    // The aborted ones do not block the queue.
    await Promise.all(skills.map((skill) => activateSkill(skill)));
    expect(opened.slice(-40)).toEqual(skills.map(({ name }) => name));
  });

  it('are not held up by a source that never answers', async () => {
    const { skills } = await findWatched(10);
    const inner = memorySource({ 'a/SKILL.md': skillText('a') });
    const [skill] = (await loadCatalog([{ ...inner, readFile: () => new Promise(() => {}) }])).skills;
    if (skill === undefined) throw new Error('The skill was not found.');
    for (let n = 0; n < 100; n += 1) void activateSkill(skill);
    const activations = await Promise.all(skills.map((own) => activateSkill(own)));
    expect(activations.map(({ skill: { name } }) => name)).toEqual(skills.map(({ name }) => name));
  });
});

it('a test that stops the clock does not stop a read', async () => {
  const { skills } = await findWatched(12);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const activations = await Promise.all(skills.map((skill) => activateSkill(skill)));
  expect(activations.map(({ skill: { name } }) => name)).toEqual(skills.map(({ name }) => name));
});

it('says of a file that no memory has room for that it cannot be read, even without a limit', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'pdf/SKILL.md': skillText('pdf'), 'pdf/sparse': 'of a petabyte' });
  const fstat: FileSystem['fstat'] = (descriptor) => Object.assign(nodeFileSystem.fstat(descriptor), { size: 2 ** 60 });
  const source = createFileSource({ ...nodeFileSystem, fstat }, root, {});
  const [entry] = (await source.list()).entries;
  if (entry === undefined) throw new Error('The skill was not found.');
  await expect(source.readFile(entry, 'sparse', { maxBytes: Infinity })).rejects.toMatchObject({
    code: 'resource-unreadable',
    message: '`sparse` could not be read.',
  });
  expect(await source.readFile(entry, 'sparse', { length: 2 })).toHaveLength(2);
});

it('says what to pass in place of a URL or nothing', () => {
  const create = (path: unknown) => () => createFileSource(nodeFileSystem, path as string, {});
  const rest = 'expected text. For a URL, pass `fileURLToPath(url)`.';
  expect(create(new URL('file:///skills'))).toThrow(`The path of a source is a value of type object, ${rest}`);
  expect(create(undefined)).toThrow(`The path of a source is undefined, ${rest}`);
  expect(create('file:///skills')).toThrow(
    'The path of a source is the URL `file:///skills`, expected a path. Pass `fileURLToPath(url)`.',
  );
});

it('reads no working directory for a path that is empty, most often because a variable is', () => {
  expect(() => createFileSource(nodeFileSystem, '', {})).toThrow(
    'The path of a source is empty. For the working directory, pass `.`.',
  );
});

it.runIf(process.platform === 'linux')(
  'reads on from a skill that gets a new file, if the system says that each directory was created when it last changed',
  async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/refs/x.md': 'X' });
    const asWithoutStatx = (status: Stats): Stats => Object.assign(status, { birthtimeMs: status.ctimeMs });
    const files: FileSystem = {
      ...nodeFileSystem,
      stat: (path) => asWithoutStatx(nodeFileSystem.stat(path)),
      lstat: (path) => asWithoutStatx(nodeFileSystem.lstat(path)),
      fstat: (descriptor) => asWithoutStatx(nodeFileSystem.fstat(descriptor)),
    };
    const source = createFileSource(files, root, {});
    const [skill] = (await loadCatalog([source])).skills;
    await setTimeout(10);
    await writeTree(root, { 'a/output.txt': 'Y' });
    expect([
      skill && new TextDecoder().decode(await source.readFile(skill, 'refs/x.md')),
      skill && (await source.listFiles(skill)).files.map(({ path }) => path),
    ]).toEqual(['X', ['output.txt', 'refs/x.md']]);
  },
);
