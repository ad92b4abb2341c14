import { renameSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Catalog, loadCatalog } from '../../../src/catalog/catalog.ts';
import { activateSkill } from '../../../src/disclosure/activate.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { replaceFile } from '../../../src/node/disk/write.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { cacheSource } from '../../../src/sources/cache.ts';
import { memorySource } from '../../../src/sources/memory.ts';
import { createFaultyFileSystem } from '../disk/faulty-file-system.ts';
import { replaceCalls } from '../disk/replace-calls.ts';
import { finishProgram, startProgram } from '../process.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const codes = ({ diagnostics }: Catalog): readonly string[] => diagnostics.map(({ code }) => code);
const names = ({ skills }: Catalog): readonly string[] => skills.map(({ name }) => name);

async function makeRoot(): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'a/SKILL.md': skillText('a'),
    'a/one/x.md': 'x',
    'a/two/y.md': 'y',
    'b/SKILL.md': skillText('b'),
  });
  return root;
}

function only(catalog: Catalog): Skill {
  const [skill] = catalog.skills;
  if (skill === undefined) throw new Error('Nothing was found.');
  return skill;
}

it('X04: a directory that became a file meanwhile is reported, and the walk continues', async () => {
  const root = await makeRoot();
  const dry = createFaultyFileSystem('ENOTDIR', () => false);
  await createFileSource(dry.files, root, {}).list();
  for (let call = 1; call <= dry.calls(); call += 1) {
    const { files } = createFaultyFileSystem('ENOTDIR', (n) => n === call);
    const { entries, diagnostics } = await createFileSource(files, root, {}).list();
    // The root is read first; after that, at most one directory is missing.
    expect(entries.length >= 1 || diagnostics.some(({ code }) => code === 'root-unreadable')).toBe(true);
    expect(entries.length === 2 || diagnostics.length > 0, `call ${call}`).toBe(true);
    expect(diagnostics.map(({ message }) => message).join()).not.toContain('/host/path');
  }
});

it('X04: a file that turns out to be none, and cannot be looked at, costs only its own skill', async () => {
  const root = await makeRoot();
  const fail = (path: string, errno: string): void => {
    if (path.endsWith('/a/SKILL.md')) throw Object.assign(new Error(`${errno}: injected, '${root}'`), { code: errno });
  };
  const files: FileSystem = {
    ...nodeFileSystem,
    open: (path, flags) => {
      fail(path, 'ENXIO');
      return nodeFileSystem.open(path, flags);
    },
    lstatIfThere: (path) => {
      fail(path, 'EIO');
      return nodeFileSystem.lstatIfThere(path);
    },
  };
  const catalog = await loadCatalog([createFileSource(files, root, {})]);
  expect([names(catalog), codes(catalog)]).toEqual([['b'], ['skill-file-unreadable']]);
});

it('X06: an activation that fails on the disk is an error with a code, and the next one works', async () => {
  const root = await makeRoot();
  let fails = false;
  const files: FileSystem = {
    ...nodeFileSystem,
    read: (...input) => {
      if (fails) throw Object.assign(new Error(`EIO: injected, '${root}'`), { code: 'EIO' });
      return nodeFileSystem.read(...input);
    },
  };
  const skill = only(await loadCatalog([createFileSource(files, root, {})]));
  fails = true;
  const error = await activateSkill(skill).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'skill-unreadable', cause: { code: 'resource-unreadable' } });
  expect(`${error}`).not.toContain(root);
  fails = false;
  expect((await activateSkill(skill)).body).toBe('# Title');
});

it('X08: a file that stays locked is given up after eight attempts, with a code and the old content', async () => {
  const path = join(await makeRoot(), 'a/SKILL.md');
  let attempts = 0;
  replaceCalls({
    renameSync() {
      attempts += 1;
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    },
  });
  await expect(replaceFile(path, 'new')).rejects.toMatchObject({
    code: 'write-failed',
    cause: { code: 'EPERM' },
  });
  expect(attempts).toBe(8);
  expect([await readFile(path, 'utf8'), await readdir(join(path, '..'))]).toEqual([
    skillText('a'),
    ['SKILL.md', 'one', 'two'],
  ]);
});

it('X16: a skill that is renamed while its files are listed has them all, or is reported as truncated', async () => {
  let opens = 0;
  let renameAt = Number.POSITIVE_INFINITY;
  let root = await makeRoot();
  const files: FileSystem = {
    ...nodeFileSystem,
    open: (path, flags) => {
      opens += 1;
      if (opens === renameAt) renameSync(join(root, 'a'), join(root, 'moved'));
      return nodeFileSystem.open(path, flags);
    },
  };
  const listAt = async (call: number) => {
    const source = createFileSource(files, root, {});
    const skill = only(await loadCatalog([source]));
    [opens, renameAt] = [0, call];
    return source.listFiles(skill);
  };
  const whole = ['one/x.md', 'two/y.md'];
  expect((await listAt(Number.POSITIVE_INFINITY)).files.map(({ path }) => path)).toEqual(whole);
  const calls = opens;
  for (let call = 1; call <= calls; call += 1) {
    root = await makeRoot();
    const listing = await listAt(call);
    const paths = listing.files.map(({ path }) => path);
    expect(whole).toEqual(expect.arrayContaining(paths));
    expect([call, paths.length === 2 || listing.truncated]).toEqual([call, true]);
  }
});

it('X17: a clock that jumps by a year expires no cache', async () => {
  let lists = 0;
  const inner = memorySource({ 'a/SKILL.md': skillText('a') });
  const cached = cacheSource({
    ...inner,
    list: (options) => {
      lists += 1;
      return inner.list(options);
    },
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const year of [2026, 2027, 2025, 1970, 2106]) {
    vi.setSystemTime(new Date(`${year}-01-02`));
    expect(names(await loadCatalog([cached]))).toEqual(['a']);
  }
  expect(lists).toBe(1);
});

describe('X18: a signal', () => {
  it('aborted before or during a load, a read or an activation ends it with its own reason', async () => {
    const root = await makeRoot();
    const reason = new Error('enough');
    const skill = only(await loadCatalog([createFileSource(nodeFileSystem, root, {})]));
    const dry = createFaultyFileSystem('EIO', () => false);
    await activateSkill({ ...skill, source: createFileSource(dry.files, root, {}) });
    for (let call = 0; call <= dry.calls(); call += 1) {
      const controller = new AbortController();
      const { files } = createFaultyFileSystem('EIO', (n) => {
        if (n === call) controller.abort(reason);
        return false;
      });
      if (call === 0) controller.abort(reason);
      const { signal } = controller;
      const source = createFileSource(files, root, {});
      const outcomes = await Promise.allSettled([
        loadCatalog([source], { signal }),
        activateSkill({ ...skill, source }, { signal }),
        source.readFile(skill, 'one/x.md', { signal }),
      ]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBe(reason);
      expect(call > 0 || outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    }
  });
});

it('X20: two copies of the library in one process understand each other and share nothing', async () => {
  const root = await makeRoot();
  const copy = await makeTemporaryDirectory();
  const source = fileURLToPath(new URL('../../../src', import.meta.url));
  await cp(source, join(copy, 'src'), { recursive: true });
  await cp(fileURLToPath(new URL('../../../package.json', import.meta.url)), join(copy, 'package.json'));
  await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(copy, 'node_modules'));
  await mkdir(join(root, 'home'));
  const output = await finishProgram(
    startProgram(new URL('./two-copies-program.ts', import.meta.url), source, join(copy, 'src'), root),
  );
  expect(JSON.parse(output)).toEqual({
    isSameClass: false,
    recognised: [true, true, false],
    isSameCatalog: true,
    name: 'x-a',
    body: '# Title',
    saysTheSame: true,
    disabled: ['user:a', 'user:b', 'user:c', 'user:d'],
    globals: 0,
  });
});

describe('X22: a source on a server', () => {
  const file = skillText('pdf', 'x'.repeat(300));
  const index = JSON.stringify([{ directory: 'pdf', head: file }]);

  /** A server that breaks the connection after a number of bytes of each answer. */
  async function startServer(): Promise<{ readonly url: string; readonly breakAfter: (bytes: number) => void }> {
    let bytes = Number.POSITIVE_INFINITY;
    const server: Server = createServer((request, response) => {
      const text = request.url === '/index.json' ? index : file;
      response.writeHead(200, { 'content-length': text.length });
      response.write(text.slice(0, bytes), () => {
        if (bytes < text.length) response.socket?.resetAndDestroy();
        else response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      url,
      breakAfter: (count) => {
        bytes = count;
      },
    };
  }

  /** A source as an application would write it. */
  function remoteSource(url: string): SkillSource {
    const get = async (path: string): Promise<Uint8Array> =>
      new Uint8Array(await (await fetch(`${url}/${path}`)).arrayBuffer());
    return {
      ...memorySource({}),
      id: url,
      async list() {
        const listed = JSON.parse(new TextDecoder().decode(await get('index.json'))) as typeof entries;
        const entries: readonly { readonly directory: string; readonly head: string }[] = listed;
        return {
          entries: entries.map(({ directory, head }) => {
            const bytes = new TextEncoder().encode(head);
            return { directory, location: `${url}/${directory}/SKILL.md`, head: bytes, bytes: bytes.length };
          }),
          diagnostics: [],
        };
      },
      listFiles: () => Promise.resolve({ files: [], truncated: false }),
      readFile: (skill, path) => get(`${skill.directory}/${path}`),
    };
  }

  it('that cannot be reached is reported, and the skills of the others are offered', async () => {
    const { url } = await startServer();
    const other = memorySource({ 'a/SKILL.md': skillText('a') });
    for (const unreachable of ['http://skills.invalid', url.replace('http:', 'https:'), 'http://127.0.0.1:1']) {
      const catalog = await loadCatalog([cacheSource(remoteSource(unreachable)), other]);
      expect([names(catalog), codes(catalog)]).toEqual([['a'], ['source-failed']]);
    }
  });

  it('whose connection breaks at any byte leaves nothing partial behind, in the catalog or in the cache', async () => {
    const { url, breakAfter } = await startServer();
    for (let bytes = 0; bytes < file.length; bytes += 37) {
      breakAfter(bytes);
      const cached = cacheSource(remoteSource(url), { maxAge: 0 });
      expect(codes(await loadCatalog([cached]))).toEqual(['source-failed']);
      breakAfter(Number.POSITIVE_INFINITY);
      const good = await loadCatalog([cached]);
      breakAfter(bytes);
      const kept = await loadCatalog([cached], { previous: good });
      expect([names(good), names(kept), codes(kept)]).toEqual([['pdf'], ['pdf'], ['source-kept']]);
      await expect(activateSkill(only(kept))).rejects.toMatchObject({ code: 'skill-unreadable' });
      breakAfter(Number.POSITIVE_INFINITY);
      expect((await activateSkill(only(kept))).body).toBe('x'.repeat(300));
    }
  });
});
