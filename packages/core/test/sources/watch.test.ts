// Sources that hear of changes by themselves: nobody polls them, and layers pass on what they hear.

import { getEventListeners } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchCatalog } from '../../src/catalog/watch.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { overlaySource } from '../../src/sources/overlay.ts';
import { readerSource } from '../../src/sources/reader.ts';
import { renameSource } from '../../src/sources/rename.ts';

/** A source whose skills are replaced, which it hears of. */
function createHearing(id: string) {
  let current: SkillSource = memorySource({}, { id });
  let failure: Error | undefined;
  const heard = new Set<() => void>();
  const list = vi.fn(async (options) => {
    const before = current;
    await Promise.resolve();
    if (failure !== undefined) throw failure;
    return before.list(options);
  });
  const source: SkillSource = {
    id,
    scope: 'synced',
    trusted: true,
    list,
    listFiles: (skill, options) => current.listFiles(skill, options),
    readFile: (skill, path, options) => current.readFile(skill, path, options),
    watch(onChange, signal) {
      heard.add(onChange);
      signal.addEventListener('abort', () => heard.delete(onChange));
    },
  };
  return {
    source,
    list,
    heard,
    fail(error: Error | undefined) {
      failure = error;
    },
    set(...names: readonly string[]) {
      const files = names.map((name) => [`${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\n`]);
      current = memorySource(Object.fromEntries(files), { id });
      for (const callBack of heard) callBack();
    },
    setText(name: string, text: string) {
      current = memorySource({ [`${name}/SKILL.md`]: text }, { id });
      for (const callBack of heard) callBack();
    },
  };
}

async function watch(sources: readonly SkillSource[]) {
  const told: string[] = [];
  const watching = await watchCatalog(sources, {
    interval: 5,
    onChange: ({ skills }) => {
      told.push(skills.map(({ name }) => name).join());
    },
  });
  onTestFinished(watching.close);
  return { told, watching };
}

const pass = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

it('goes on with its other sources if one never answers', async () => {
  const hung = createHearing('hung');
  const fine = createHearing('fine');
  const list = vi.fn(hung.source.list);
  const { watching } = await watch([{ ...hung.source, list }, fine.source]);
  list.mockImplementationOnce(() => new Promise(() => {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const checked = watching.check();
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    await checked;
    expect(watching.catalog().diagnostics.map(({ message }) => message)).toEqual([
      'The source failed: it did not answer within 5 minutes; its last good result was kept.',
    ]);
    fine.set('a');
    await watching.check();
    expect(watching.catalog().skills.map(({ name }) => name)).toEqual(['a']);
  } finally {
    vi.useRealTimers();
  }
});

it('pauses between checks if changes are reported all the time', async () => {
  const { source, list, set } = createHearing('far');
  const slow = async (...given: Parameters<typeof list>) => {
    await pass(20);
    return list(...given);
  };
  const watching = await watchCatalog([{ ...source, list: slow }], { interval: 200 });
  onTestFinished(watching.close);
  const flood = setInterval(() => set('a'), 1);
  await pass(1_000);
  clearInterval(flood);
  // Without the pauses, it would be 50 times.
  expect(list.mock.calls.length).toBeLessThan(20);
  await vi.waitFor(() => expect(watching.catalog().skills).toHaveLength(1));
});

it('keeps the catalog up to date, also without a listener', async () => {
  const { source, set } = createHearing('far');
  const watching = await watchCatalog([source]);
  onTestFinished(watching.close);
  set('a');
  await vi.waitFor(() => expect(watching.catalog().skills.map(({ name }) => name)).toEqual(['a']));
});

it.each<[string, (source: SkillSource) => SkillSource]>([
  ['the source itself', (source) => source],
  ['a cache', (source) => cacheSource(source)],
  ['a filter', (source) => filterSource(source, () => true)],
  ['other names', (source) => renameSource(source, (name) => name)],
  ['an overlay', (source) => overlaySource(createHearing('none').source, source)],
])('is asked only after a change, through %s', async (_, layer) => {
  const { source, list, heard, set } = createHearing('far');
  const { told, watching } = await watch([layer(source)]);
  await pass(50);
  expect(list).toHaveBeenCalledTimes(1);
  set('a');
  await vi.waitFor(() => expect(told).toEqual(['a']));
  // The second change comes while the first one is loaded.
  set('a', 'b');
  set('a', 'b', 'c');
  await vi.waitFor(() => expect(told.at(-1)).toBe('a,b,c'));
  watching.close();
  expect(heard.size).toBe(0);
});

it('is asked again after a failure, until it answers', async () => {
  const { source, fail, set } = createHearing('far');
  const { watching } = await watch([source]);
  const codes = () => watching.catalog().diagnostics.map(({ code }) => code);
  fail(new Error('no network'));
  set('a');
  await vi.waitFor(() => expect(codes()).toEqual(['source-kept']));
  fail(undefined);
  await vi.waitFor(() => expect([codes(), watching.catalog().skills.length]).toEqual([[], 1]));
});

it('is asked again if it fails from the beginning', async () => {
  const { source, fail, list } = createHearing('far');
  fail(new Error('no network'));
  const { watching } = await watch([source]);
  await vi.waitFor(() => expect(list.mock.calls.length).toBeGreaterThan(2));
  fail(undefined);
  await vi.waitFor(() => expect(watching.catalog().diagnostics.map(({ code }) => code)).toEqual(['skills-not-found']));
});

it('is not asked any more once the watch is closed, also by a listener and while a change is reported', async () => {
  const { source, list, set } = createHearing('far');
  const close = () => {
    set('a', 'b');
    watching.close();
  };
  const watching = await watchCatalog([source, memorySource({})], { interval: 5, onChange: close });
  set('a');
  await vi.waitFor(() => expect(list.mock.calls.length).toBeGreaterThan(1));
  await pass(20);
  const { length } = list.mock.calls;
  await pass(50);
  expect([length, list.mock.calls.length]).toEqual([2, 2]);
});

it('does not keep a source that only polling can watch from being polled', async () => {
  const { source } = createHearing('far');
  const near = memorySource({});
  const list = vi.fn(near.list);
  await watch([source, { ...near, list }]);
  await vi.waitFor(() => expect(list.mock.calls.length).toBeGreaterThan(2));
  expect(overlaySource(source, near).watch).toBeUndefined();
});

it('is asked again if the change comes while a check reads the old state', async () => {
  const { source, list, set } = createHearing('far');
  const { told, watching } = await watch([source]);
  list.mockImplementationOnce(async (options) => {
    const old = await memorySource({}).list(options);
    set('a');
    return old;
  });
  await watching.check();
  await vi.waitFor(() => expect(told).toEqual(['a']));
});

it('is neither asked nor told to report changes if it is not trusted', async () => {
  const { source, list } = createHearing('far');
  const untrusted = { ...createHearing('near').source, trusted: false, watch: vi.fn() };
  await watch([source, untrusted, memorySource({}, { trusted: false })]);
  await pass(50);
  expect([list.mock.calls.length, untrusted.watch.mock.calls.length]).toEqual([1, 0]);
});

it('tells nothing once the watch is closed, and leaves nothing at its signal', async () => {
  const { signal } = new AbortController();
  const { source, set } = createHearing('far');
  const onChange = vi.fn();
  const watching = await watchCatalog([source], { interval: Number.POSITIVE_INFINITY, signal, onChange });
  set('a');
  const checking = watching.check();
  watching.close();
  await checking;
  expect([onChange.mock.calls, getEventListeners(signal, 'abort')]).toEqual([[], []]);
});

it('keeps saying in a cache that a listing is an old one, for as long as it is kept', async () => {
  const { source, fail, set } = createHearing('far');
  const cache = cacheSource(source, { maxAge: 60_000 });
  cache.watch?.(() => {}, new AbortController().signal);
  await cache.list();
  fail(new Error('no network'));
  set('a');
  for (let round = 0; round < 2; round += 1) {
    expect((await cache.list()).diagnostics.map(({ code }) => code)).toEqual(['source-kept']);
  }
  fail(undefined);
  set('a');
  const { entries, diagnostics } = await cache.list();
  expect([entries.length, diagnostics]).toEqual([1, []]);
});

it('does not take an answer that is older than a change for a new one', async () => {
  const { source, set } = createHearing('far');
  const cache = cacheSource(source);
  cache.watch?.(() => {}, new AbortController().signal);
  const asked = cache.list();
  set('a');
  expect([(await asked).entries.length, (await cache.list()).entries.length]).toEqual([0, 1]);
});

it('polls a slow source less often than asked, because checking takes at most a twentieth of the time', async () => {
  const list = vi.fn(async () => {
    await pass(50);
    return { entries: [], diagnostics: [] };
  });
  const watching = await watchCatalog([{ ...memorySource({}), list }], { interval: 1, onChange: () => {} });
  onTestFinished(watching.close);
  await pass(500);
  expect(list.mock.calls.length).toBeLessThan(4);
});

it('does not poll if the interval is longer than any timer', async () => {
  const list = vi.fn(memorySource({}).list);
  vi.useFakeTimers();
  try {
    for (const interval of [Infinity, 2 ** 31]) {
      const watching = await watchCatalog([{ ...memorySource({}), list }], { interval, onChange: () => {} });
      await vi.advanceTimersByTimeAsync(60_000);
      watching.close();
    }
  } finally {
    vi.useRealTimers();
  }
  expect(list).toHaveBeenCalledTimes(2);
});

it('looks again at a skill that became invalid, though it polls nothing', async () => {
  const hearing = createHearing('server');
  hearing.set('pdf');
  const told: number[] = [];
  const watching = await watchCatalog([hearing.source], {
    interval: Number.POSITIVE_INFINITY,
    patience: 40,
    onChange: ({ skills }) => {
      told.push(skills.length);
    },
  });
  onTestFinished(watching.close);
  hearing.setText('pdf', '---\nname: pdf\n');
  await expect.poll(() => told).toEqual([0]);
});

it('keeps a skill that cannot be read for a moment, as while a store is busy', async () => {
  let isBusy = false;
  const read = async (_: string, path: string) => {
    if (isBusy && path === 'SKILL.md') throw new Error('429');
    return path === 'SKILL.md' ? '---\nname: a\ndescription: Does a.\n---\n' : undefined;
  };
  const source = readerSource({ list: async () => ['a'], listFiles: async () => [], read }, { id: 'bucket' });
  const onChange = vi.fn();
  const watching = await watchCatalog([source], { interval: Infinity, patience: 60_000, onChange });
  onTestFinished(watching.close);
  isBusy = true;
  await watching.check();
  expect([watching.catalog().skills.length, onChange.mock.calls.length]).toEqual([1, 0]);
  isBusy = false;
  await watching.check();
  expect([watching.catalog().skills.length, onChange.mock.calls.length]).toEqual([1, 0]);
});
