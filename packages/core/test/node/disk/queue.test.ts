import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { activateSkill } from '../../../src/disclosure/activate.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { createTurns } from '../../../src/node/disk/queue.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import { memorySource } from '../../../src/sources/memory.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('turns', () => {
  it('begin four pieces of work at once, and the next four each time that the event loop has turned', async () => {
    const turns = createTurns();
    const begun: number[] = [];
    for (const n of numbers(1, 10)) {
      const work = async (): Promise<void> => {
        await turns.take(undefined);
        begun.push(n);
        turns.leave();
      };
      void work();
    }
    expect(begun).toEqual([]);
    await Promise.resolve();
    const seen = [[...begun]];
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      seen.push([...begun]);
    }
    expect(seen).toEqual([numbers(1, 4), numbers(1, 8), numbers(1, 10), numbers(1, 10)]);
  });

  it('have room for 16 that are under way, and for one more as soon as one of them leaves', async () => {
    const turns = createTurns();
    let begun = 0;
    for (let n = 0; n < 20; n += 1) void turns.take(undefined)?.then(() => (begun += 1));
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
    // Four began at once.
    expect(begun).toBe(12);
    turns.leave();
    await setImmediate();
    expect(begun).toBe(13);
  });

  it('are given up by those that are aborted while they wait, and the others move up', async () => {
    const turns = createTurns();
    for (let n = 0; n < 4; n += 1) turns.take(undefined);
    const controller = new AbortController();
    const begun: number[] = [];
    const waiting = numbers(1, 8).map(async (n) => {
      await turns.take(n % 2 === 0 ? controller.signal : undefined);
      begun.push(n);
    });
    controller.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(
      numbers(1, 8).map((n) => (n % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[1]).toMatchObject({ reason: new Error('enough') });
    expect(begun).toEqual([1, 3, 5, 7]);
    await expect(turns.take(controller.signal)).rejects.toThrow('enough');
  });
});

it('thousands that share a signal put one listener on it, and leave none', async () => {
  const turns = createTurns();
  const { signal } = new AbortController();
  const counts = { added: 0, removed: 0 };
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...input: Parameters<typeof add>) => {
    counts.added += 1;
    add(...input);
  };
  signal.removeEventListener = (...input: Parameters<typeof remove>) => {
    counts.removed += 1;
    remove(...input);
  };
  const work = async (): Promise<void> => {
    await turns.take(signal);
    turns.leave();
  };
  await Promise.all(numbers(1, 2000).map(work));
  expect(counts).toEqual({ added: 1, removed: 1 });
});

interface Watched {
  readonly skills: readonly Skill[];
  /** Names of the skills whose `SKILL.md` was opened, in that order. */
  readonly opened: readonly string[];
  /** Files and directories that were open at once at most. */
  readonly mostOpen: () => number;
}

/** Finds skills on a disk that is watched from then on. */
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
      if (path.endsWith('SKILL.md')) opened.push(path.slice(root.length + 1, -join('/SKILL.md').length));
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

/** Activates skills and counts how often the event loop turned meanwhile. */
async function activateAll(skills: readonly Skill[]): Promise<number> {
  let turned = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    for (; !isDone; turned += 1) await setImmediate();
  };
  const counting = count();
  await Promise.all(skills.map((skill) => activateSkill(skill)));
  isDone = true;
  await counting;
  return turned;
}

describe('L03: activations that begin at once', () => {
  it('read one file after the other in their order, with one open at a time, and let the event loop turn', async () => {
    const { skills, opened, mostOpen } = await findWatched(400);
    expect(await activateAll(skills)).toBeGreaterThanOrEqual(100 - 1);
    expect(opened).toEqual(skills.map(({ name }) => name));
    expect(mostOpen()).toBe(1);
  });

  it('have read no more than four files before the event loop turns', async () => {
    const { skills, opened } = await findWatched(40);
    const activations = skills.map((skill) => activateSkill(skill));
    for (let microtask = 0; microtask < 100; microtask += 1) await Promise.resolve();
    expect(opened).toEqual(skills.slice(0, 4).map(({ name }) => name));
    await Promise.all(activations);
  });

  it('read nothing for the ones that are aborted while they wait', async () => {
    const { skills, opened } = await findWatched(40);
    const controller = new AbortController();
    const activations = skills.map((skill) => activateSkill(skill, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(activations);
    expect(opened.length).toBeLessThanOrEqual(4);
    expect(outcomes.slice(4)).toEqual(skills.slice(4).map(() => ({ status: 'rejected', reason: new Error('enough') })));
    // Those that gave up have left no place taken.
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

it('a test that stops the clock stops no read', async () => {
  const { skills } = await findWatched(12);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const activations = await Promise.all(skills.map((skill) => activateSkill(skill)));
  expect(activations.map(({ skill: { name } }) => name)).toEqual(skills.map(({ name }) => name));
});
