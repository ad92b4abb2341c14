import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { type CatalogWatch, type WatchCatalogOptions, watchCatalog } from '../../../src/catalog/watch.ts';
import { fileSource } from '../../../src/node/index.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { memorySource } from '../../../src/sources/memory.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

interface Watched {
  readonly root: string;
  readonly watch: CatalogWatch;
  readonly told: string[];
}

async function start(
  tree: Parameters<typeof writeTree>[1],
  options: Partial<WatchCatalogOptions> = {},
): Promise<Watched> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, tree);
  await setTimeout(60);
  const told: string[] = [];
  const watch = await watchCatalog([fileSource(root)], {
    interval: 30,
    patience: 300,
    onChange: (_, { added, changed, removed }) => {
      const names = [added, changed, removed].map((skills) => skills.map(({ name }) => name).join(','));
      told.push(`+${names[0]} ~${names[1]} -${names[2]}`);
    },
    ...options,
  });
  onTestFinished(watch.close);
  return { root, watch, told };
}

/** A source of a directory with one skill, `a`, on a disk that can be taken away. */
async function makeRemovable(): Promise<{ root: string; source: SkillSource; disk: { isAway: boolean } }> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'a/SKILL.md': skillText('a') });
  const inner = fileSource(root);
  const disk = { isAway: false };
  const list: SkillSource['list'] = (options) =>
    disk.isAway ? Promise.reject(new Error('The disk is away')) : inner.list(options);
  return { root, source: { ...inner, list }, disk };
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 5000;
  while (!isTrue() && performance.now() < end) await setTimeout(10);
}

/** Puts a directory in place at once, because a file that is seen half written would be reported. */
async function appear(path: string, tree: Parameters<typeof writeTree>[1]): Promise<void> {
  const made = await makeTemporaryDirectory();
  await writeTree(made, tree);
  await rename(made, path);
}

const names = ({ watch }: Watched): readonly string[] => watch.catalog().skills.map(({ name }) => name);

it('reports added, changed and removed skills once each', async () => {
  const watched = await start({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
  const { root, told } = watched;
  expect(names(watched)).toEqual(['a', 'b']);
  await appear(join(root, 'c'), { 'SKILL.md': skillText('c') });
  await until(() => told.length === 1);
  await writeFile(join(root, 'a/SKILL.md'), skillText('a', '# Tutle\n'));
  await until(() => told.length === 2);
  await rm(join(root, 'b'), { recursive: true });
  await until(() => told.length === 3);
  await setTimeout(200);
  expect(told).toEqual(['+c ~ -', '+ ~a -', '+ ~ -b']);
  expect(names(watched)).toEqual(['a', 'c']);
});

it('keeps the last good state of a half-written skill', async () => {
  const watched = await start({ 'a/SKILL.md': skillText('a') }, { patience: 5000 });
  const { root, watch, told } = watched;
  writeFileSync(join(root, 'a/SKILL.md'), '---\nname: a\n');
  await watch.check();
  expect([names(watched), told]).toEqual([['a'], []]);
  appendFileSync(join(root, 'a/SKILL.md'), 'description: New.\n---\n');
  await until(() => told.length === 1);
  expect([told, watch.catalog().skills[0]?.description]).toEqual([['+ ~a -'], 'New.']);
});

it.each(['missing', 'unreadable'])(
  'keeps the last good state while the directory of all skills is %s for a moment',
  async (how) => {
    const watched = await start({ 'a/SKILL.md': skillText('a') }, { patience: 5000 });
    const { root, watch, told } = watched;
    await rename(root, `${root}-old`);
    onTestFinished(() => rm(`${root}-old`, { recursive: true }));
    if (how === 'unreadable') await writeFile(root, 'This is no directory.');
    await watch.check();
    expect([names(watched), told]).toEqual([['a'], []]);
    await rm(root, { force: true });
    await appear(root, { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
    await until(() => told.length === 1);
    expect(names(watched)).toEqual(['a', 'b']);
  },
);

it('keeps the skills of a link to a directory that moved, beside another source with the same id', async () => {
  const [first, second] = [await makeTemporaryDirectory(), await makeTemporaryDirectory()];
  await writeTree(first, { 'one/a/SKILL.md': skillText('a') });
  await writeTree(second, { 'b/SKILL.md': skillText('b') });
  await symlink(join(first, 'one'), join(first, 'current'), 'dir');
  const watch = await watchCatalog([fileSource(join(first, 'current')), fileSource(second)], { patience: 5000 });
  onTestFinished(watch.close);
  await rename(join(first, 'one'), join(first, 'old'));
  await watch.check();
  expect(watch.catalog().skills.map(({ name }) => name)).toEqual(['a', 'b']);
});

it('waits for nothing because of a link that is always broken', async () => {
  const tree = { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') };
  const { root, watch } = await start(tree, { patience: 60_000 });
  await symlink(join(root, 'nowhere'), join(root, 'c'), 'dir');
  await rm(join(root, 'b'), { recursive: true });
  await watch.check();
  expect(watch.catalog().skills.map(({ name }) => name)).toEqual(['a']);
});

it('drops the skills of a directory that stays away, also if only `check` looks', async () => {
  const watched = await start({ 'a/SKILL.md': skillText('a') }, { interval: Number.POSITIVE_INFINITY });
  await rm(watched.root, { recursive: true });
  await watched.watch.check();
  expect(names(watched)).toEqual(['a']);
  await until(() => watched.told.length === 1);
  expect(names(watched)).toEqual([]);
});

it('drops a skill that stays broken', async () => {
  const watched = await start({ 'a/SKILL.md': skillText('a') });
  writeFileSync(join(watched.root, 'a/SKILL.md'), '---\nname: a\n');
  await until(() => watched.told.length === 1);
  expect([watched.told, watched.watch.catalog().rejected.length]).toEqual([['+ ~ -a'], 1]);
});

it('I22: survives when its root is removed and created again', async () => {
  const watched = await start({ 'a/SKILL.md': skillText('a') });
  await rename(watched.root, `${watched.root}-gone`);
  onTestFinished(() => rm(`${watched.root}-gone`, { recursive: true }));
  await until(() => watched.told.length === 1);
  await appear(watched.root, { 'b/SKILL.md': skillText('b') });
  await until(() => watched.told.length === 2);
  expect(watched.told).toEqual(['+ ~ -a', '+b ~ -']);
});

it('I21: looks once an interval during a storm of renames, and has the right skills after it', async () => {
  let lists = 0;
  const root = await makeTemporaryDirectory();
  for (let n = 0; n < 20; n += 1) await writeTree(root, { [`s${n}/SKILL.md`]: skillText(`s${n}`) });
  const inner = fileSource(root);
  const counted: SkillSource = {
    ...inner,
    list: (options) => {
      lists += 1;
      return inner.list(options);
    },
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const watch = await watchCatalog([counted], { onChange: () => {} });
  onTestFinished(watch.close);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 50_000; n += 1) {
    renameSync(join(root, `s${n % 20}`), join(root, 'moved'));
    renameSync(join(root, 'moved'), join(root, `s${n % 20}`));
    if (n % 500 === 0) await vi.advanceTimersByTimeAsync(100);
  }
  // 100,000 renames in 10 seconds of the clock, after the first listing.
  expect(lists - 1).toBeGreaterThan(0);
  expect(lists).toBeLessThanOrEqual(20);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 1024 * 1024);
  await watch.check();
  await watch.check();
  expect(watch.catalog().skills.map(({ name }) => name)).toEqual(
    (await loadCatalog([inner])).skills.map(({ name }) => name),
  );
});

it('follows sources that come and go, and stops when its signal is aborted', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'one/a/SKILL.md': skillText('a'), 'two/b/SKILL.md': skillText('b') });
  let roots = ['one'];
  const told: string[] = [];
  const controller = new AbortController();
  const watch = await watchCatalog(() => roots.map((name) => fileSource(join(root, name), { id: name })), {
    interval: 20,
    signal: controller.signal,
    onChange: (catalog) => {
      told.push(catalog.skills.map(({ name }) => name).join());
    },
  });
  roots = ['one', 'two'];
  await until(() => told.length === 1);
  roots = ['two'];
  await until(() => told.length === 2);
  expect(told).toEqual(['a,b', 'b']);
  controller.abort();
  roots = [];
  await setTimeout(100);
  expect([told.length, watch.catalog().skills.length]).toEqual([2, 1]);
});

it('X18: never polls if its signal is aborted while it starts, at whichever moment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const sources = [memorySource({ 'a/SKILL.md': skillText('a') })];
  for (let moments = 0; moments < 30; moments += 1) {
    const controller = new AbortController();
    const starting = watchCatalog(sources, { signal: controller.signal, onChange: () => {} }).catch(() => {});
    for (let moment = 0; moment < moments; moment += 1) await undefined;
    controller.abort();
    await starting;
    expect([moments, vi.getTimerCount()]).toEqual([moments, 0]);
  }
});

it('X19: passes what a listener throws to `onError` and continues', async () => {
  const errors: unknown[] = [];
  const watched = await start(
    {},
    {
      onError: (error) => errors.push(error),
      onChange: () => {
        throw new Error('Listener');
      },
    },
  );
  await appear(join(watched.root, 'a'), { 'SKILL.md': skillText('a') });
  await until(() => errors.length === 1);
  await appear(join(watched.root, 'b'), { 'SKILL.md': skillText('b') });
  await until(() => errors.length === 2);
  expect([errors.map(String), names(watched)]).toEqual([
    ['Error: Listener', 'Error: Listener'],
    ['a', 'b'],
  ]);
});

it('continues although nobody handles an error, which is uncaught', async () => {
  const uncaught: unknown[] = [];
  const usual = process.rawListeners('uncaughtException') as NodeJS.UncaughtExceptionListener[];
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of usual) process.on('uncaughtException', listener);
  });
  const onChange = () => {
    throw new Error('Listener');
  };
  const onError = (error: unknown) => {
    throw new Error('Handler', { cause: error });
  };
  const [silent, failing] = [await start({}, { onChange }), await start({}, { onChange, onError })];
  for (const name of ['a', 'b']) {
    uncaught.length = 0;
    for (const { root } of [silent, failing]) await appear(join(root, name), { 'SKILL.md': skillText(name) });
    await until(() => uncaught.length === 2);
    expect(uncaught.map(String).sort()).toEqual(['Error: Handler', 'Error: Listener']);
  }
  expect([names(silent), names(failing)]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('keeps the last skills of a source while it fails', async () => {
  const { root, source, disk } = await makeRemovable();
  const told: string[] = [];
  const watch = await watchCatalog([source], {
    interval: 10_000,
    onChange: (_, { added }) => void told.push(`+${added.length}`),
  });
  onTestFinished(watch.close);
  disk.isAway = true;
  await watch.check();
  expect(watch.catalog().skills.map(({ name }) => name)).toEqual(['a']);
  expect(watch.catalog().diagnostics.map(({ code }) => code)).toEqual(['source-kept']);
  disk.isAway = false;
  await writeTree(root, { 'b/SKILL.md': skillText('b') });
  await watch.check();
  expect([told, watch.catalog().diagnostics]).toEqual([['+0', '+1'], []]);
});

it('notices a change of the same length in each of several sources with one id', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'one/a/SKILL.md': skillText('a', 'AAAA\n'), 'two/b/SKILL.md': skillText('b') });
  await setTimeout(60);
  const told: string[] = [];
  const sources = [fileSource(join(root, 'one')), fileSource(join(root, 'two'))];
  const watch = await watchCatalog(sources, {
    interval: 30,
    onChange: (_, { changed }) => {
      told.push(...changed.map(({ name }) => name));
    },
  });
  onTestFinished(watch.close);
  await writeFile(join(root, 'one/a/SKILL.md'), skillText('a', 'BBBB\n'));
  await until(() => told.length > 0);
  expect(told).toEqual(['a']);
});

it('keeps the skills of a failing source, even if another one has the same id', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'one/a/SKILL.md': skillText('a'), 'two/b/SKILL.md': skillText('b') });
  const [one, two] = [fileSource(join(root, 'one')), fileSource(join(root, 'two'))];
  const previous = await loadCatalog([one, two]);
  const failing = (source: SkillSource): SkillSource => ({ ...source, list: () => Promise.reject(new Error('away')) });
  for (const sources of [
    [failing(one), two],
    [one, failing(two)],
  ]) {
    const { skills, diagnostics } = await loadCatalog(sources, { previous });
    const codes = diagnostics.map(({ code }) => code);
    expect([skills.map(({ name }) => name), codes]).toEqual([['a', 'b'], ['source-kept']]);
  }
});

it('reports a new skill that cannot be loaded, and a source that fails, once each', async () => {
  const { root, source, disk } = await makeRemovable();
  const told: string[] = [];
  const watch = await watchCatalog([source], {
    interval: Number.POSITIVE_INFINITY,
    onChange: ({ skills, diagnostics }) => {
      told.push([skills.length, ...diagnostics.map(({ code }) => code)].join(' '));
    },
  });
  onTestFinished(watch.close);
  await writeTree(root, { 'b/SKILL.md': 'No frontmatter.\n' });
  await watch.check();
  await watch.check();
  disk.isAway = true;
  await watch.check();
  await watch.check();
  expect(told).toEqual(['1 frontmatter-missing', '1 source-kept frontmatter-missing']);
});

it('does not wait longer because `onChange` takes long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let lists = 0;
  const list: SkillSource['list'] = (options) => {
    lists += 1;
    return memorySource({ [`s${lists}/SKILL.md`]: skillText(`s${lists}`) }).list(options);
  };
  const watch = await watchCatalog([{ ...memorySource({}), list }], {
    interval: 1000,
    onChange: () => new Promise((resolve) => globalThis.setTimeout(resolve, 5000)),
  });
  onTestFinished(watch.close);
  await vi.advanceTimersByTimeAsync(7500);
  expect(lists).toBe(3);
});

it('waits longer after a check that takes long, even if the function that finds the sources then throws', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let searches = 0;
  async function findSources(): Promise<readonly SkillSource[]> {
    searches += 1;
    if (searches === 1) return [];
    await new Promise((resolve) => globalThis.setTimeout(resolve, 5000));
    throw new Error('The server is away');
  }
  const watch = await watchCatalog(findSources, { interval: 1000, onChange: () => {}, onError: () => {} });
  onTestFinished(watch.close);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(searches).toBe(2);
});
