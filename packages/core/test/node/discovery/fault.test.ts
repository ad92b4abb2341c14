import {
  type Dirent,
  existsSync,
  readdirSync,
  realpathSync,
  renameSync,
  type Stats,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { isAtOrBelow } from '../../../src/node/disk/contained-file.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import type { SkillEntry } from '../../../src/skill/source.ts';
import { createFaultyFileSystem } from '../disk/faulty-file-system.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

/** Node has no name for `ESTALE`, and for most errors of Windows. */
const unnamed = ['Unknown system error -116', 'UNKNOWN'];
const permanent = ['EACCES', 'EIO', 'EPERM', 'ELOOP', 'ETIMEDOUT', 'EBUSY', ...unnamed];
const openDescriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

async function makeRoot(): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'skills/a/SKILL.md': skillText('a'),
    'skills/a/agents/openai.yaml': 'x: 1\n',
    'skills/a/refs/x.md': 'INSIDE',
    'skills/group/b/SKILL.md': skillText('b'),
    'skills/c/SKILL.md': { link: 'real.md' },
    'skills/c/real.md': skillText('c'),
    'skills/d': { link: '../elsewhere' },
    'elsewhere/SKILL.md': skillText('d'),
  });
  return join(root, 'skills');
}

const list = (files: FileSystem, root: string) => createFileSource(files, root, {}).list();

async function findSkill(root: string): Promise<SkillEntry> {
  const skill = (await list(nodeFileSystem, root)).entries[0];
  if (skill === undefined) throw new Error('The skill was not found.');
  return skill;
}

/** Runs once to count the calls, then once for each of them. */
async function forEachCall(errno: string, run: (files: FileSystem) => Promise<void>): Promise<void> {
  const dry = createFaultyFileSystem(errno, () => false);
  await run(dry.files);
  expect(dry.calls()).toBeGreaterThan(4);
  for (let call = 1; call <= dry.calls(); call += 1) {
    await run(createFaultyFileSystem(errno, (n) => n === call).files);
  }
}

/** Renames the directory of a skill right after its file was opened. */
function renaming(directory: string, file: string): FileSystem {
  return {
    ...nodeFileSystem,
    open(path, flags) {
      const descriptor = nodeFileSystem.open(path, flags);
      if (path.endsWith(file)) renameSync(directory, `${directory}-old`);
      return descriptor;
    },
  };
}

describe.runIf(process.platform === 'linux')('a skill that is renamed while it is read', () => {
  it('is not called a link that leads out of its directory', async () => {
    const root = await makeRoot();
    const { diagnostics } = await list(renaming(join(root, 'a'), 'a/SKILL.md'), root);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['skill-file-unreadable', '`SKILL.md` could not be read: it was changed or removed meanwhile.'],
    ]);
  });

  it('is said to have been moved if one of its files is asked for', async () => {
    const root = await makeRoot();
    const skill = await findSkill(root);
    const source = createFileSource(renaming(join(root, 'a'), 'x.md'), root, {});
    await expect(source.readFile(skill, 'refs/x.md')).rejects.toThrow(
      'The directory of the skill has been moved or replaced since the catalog was loaded. Reload the catalog.',
    );
  });
});

describe('a failing call', () => {
  it.each(permanent)('X01, X02: %s: reports a skill that it cannot list, and lists the others', async (errno) => {
    const root = await makeRoot();
    const before = openDescriptors();
    await forEachCall(errno, async (files) => {
      const { entries, diagnostics } = await list(files, root);
      const messages = diagnostics.map(({ message, hint }) => `${message} ${hint}`).join();
      expect(entries.length === 4 || diagnostics.length > 0).toBe(true);
      expect(entries.length >= 2 || diagnostics.some(({ code }) => code === 'root-unreadable')).toBe(true);
      expect(messages).not.toContain('/host/path');
    });
    expect(openDescriptors()).toBe(before);
  });

  it.each(['EMFILE', 'ENFILE'])(
    'X05: %s: the list is complete as soon as there are descriptors again',
    async (errno) => {
      const root = await makeRoot();
      await forEachCall(errno, async (files) => {
        const { entries, diagnostics } = await list(files, root);
        expect([entries.length, diagnostics]).toEqual([4, []]);
      });
    },
  );

  it('X05: EMFILE while a volume of Kubernetes is looked at leaves nothing open', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'pdf/..1/SKILL.md': skillText('pdf'),
      'pdf/..data': { link: '..1' },
      'pdf/SKILL.md': { link: '..data/SKILL.md' },
    });
    const before = openDescriptors();
    await forEachCall('EMFILE', async (files) => {
      expect((await list(files, root)).entries.map(({ directory }) => directory)).toEqual([join(root, 'pdf')]);
    });
    expect(openDescriptors()).toBe(before);
  });

  it('X05: permanent EMFILE: the source fails instead of returning a short list', async () => {
    const root = await makeRoot();
    const { files } = createFaultyFileSystem('EMFILE', (call) => call > 20);
    const error = await list(files, root).catch((reason: unknown) => reason);
    expect(isSkillError(error) && error.code).toBe('source-failed');
  });

  it('X03: a file that vanished meanwhile is left out without an error', async () => {
    const root = await makeRoot();
    await forEachCall('ENOENT', async (files) => {
      const { diagnostics } = await list(files, root);
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    });
  });

  it.each([...permanent, 'ENOENT'])('X06: %s: a read returns the file or fails with a code', async (errno) => {
    const root = await makeRoot();
    const skill = await findSkill(root);
    const before = openDescriptors();
    await forEachCall(errno, async (files) => {
      const outcome = await createFileSource(files, root, {})
        .readFile(skill, 'refs/x.md')
        .then(
          (bytes) => new TextDecoder().decode(bytes),
          (error: unknown) => (isSkillError(error) ? `${error.code} ${error.message}` : error),
        );
      expect(outcome).toMatch(/^INSIDE$|^resource-(unknown|unreadable) (?!.*\/host\/path)/);
    });
    expect(openDescriptors()).toBe(before);
  });

  it.each(permanent)(
    '%s: a listing of files is complete or says that it is not, and leaves nothing open',
    async (errno) => {
      const root = await makeRoot();
      const skill = await findSkill(root);
      const before = openDescriptors();
      await forEachCall(errno, async (files) => {
        const listing = await createFileSource(files, root, {}).listFiles(skill);
        const paths = listing.files.map(({ path }) => path);
        expect(['agents/openai.yaml', 'refs/x.md']).toEqual(expect.arrayContaining(paths));
        // A link to itself is not a file; anything else that could not be read makes the list incomplete.
        expect(paths.length === 2 || listing.truncated || errno === 'ELOOP').toBe(true);
      });
      expect(openDescriptors()).toBe(before);
    },
  );
});

describe('a file that changes under the reader', () => {
  it('X15: returns only bytes that were read, if it shrinks after its size was read', async () => {
    const root = await makeRoot();
    await writeTree(root, { 'a/refs/t.md': 'x'.repeat(65_536) });
    const skill = await findSkill(root);
    const shrinking: FileSystem = {
      ...nodeFileSystem,
      fstat: (descriptor) => {
        const status = nodeFileSystem.fstat(descriptor);
        truncateSync(join(root, 'a/refs/t.md'), 100);
        return status;
      },
    };
    const content = await createFileSource(shrinking, root, {}).readFile(skill, 'refs/t.md');
    expect(new TextDecoder().decode(content)).toBe('x'.repeat(100));
  });

  it('X11: is complete even if each read returns one byte', async () => {
    const root = await makeRoot();
    const slow: FileSystem = {
      ...nodeFileSystem,
      read: (descriptor, into, offset) => nodeFileSystem.read(descriptor, into, offset, 1),
    };
    const source = createFileSource(slow, root, {});
    const { entries } = await source.list();
    expect(new TextDecoder().decode(entries[0]?.head)).toBe(skillText('a', ''));
    expect(new TextDecoder().decode(await source.readFile(await findSkill(root), 'refs/x.md'))).toBe('INSIDE');
  });
});

describe('an interrupted read', () => {
  const interrupted = (errno: string, times: number): FileSystem => {
    let left = times;
    const read: FileSystem['read'] = (...input) => {
      left -= 1;
      if (left >= 0) throw Object.assign(new Error(errno), { code: errno });
      return nodeFileSystem.read(...input);
    };
    return { ...nodeFileSystem, read };
  };

  it.each(['EINTR', 'EAGAIN'])('X07: %s: is repeated three times, then fails with a code', async (errno) => {
    const root = await makeRoot();
    const skill = await findSkill(root);
    const read = (times: number) => createFileSource(interrupted(errno, times), root, {}).readFile(skill, 'refs/x.md');
    expect(new TextDecoder().decode(await read(3))).toBe('INSIDE');
    await expect(read(4)).rejects.toMatchObject({ code: 'resource-unreadable' });
  });
});

describe('X18: a signal that aborts', () => {
  it('during any disk call ends the work at the next turn, and leaves nothing open', async () => {
    const root = await makeRoot();
    const before = openDescriptors();
    const dry = createFaultyFileSystem('EIO', () => false);
    await list(dry.files, root);
    for (let call = 1; call <= dry.calls(); call += 1) {
      const controller = new AbortController();
      const { files } = createFaultyFileSystem('EIO', (n) => {
        if (n === call) controller.abort(new Error('enough'));
        return false;
      });
      const source = createFileSource(files, root, {});
      const outcome = await source.list({ signal: controller.signal }).catch((error: unknown) => `${error}`);
      // Work that was done before the next turn may still be returned, but only as a whole.
      expect(typeof outcome === 'string' ? outcome : outcome.entries.length).toBeOneOf(['Error: enough', 4]);
      await expect(source.listFiles(await findSkill(root), { signal: controller.signal })).rejects.toThrow('enough');
    }
    expect(openDescriptors()).toBe(before);
  });

  it('ends the wait for descriptors with its reason, without another disk call', async () => {
    const root = await makeRoot();
    const controller = new AbortController();
    const { files, calls } = createFaultyFileSystem('EMFILE', (call) => {
      if (call === 3) queueMicrotask(() => controller.abort(new Error('enough')));
      return true;
    });
    const { signal } = controller;
    await expect(createFileSource(files, root, {}).list({ signal })).rejects.toThrow('enough');
    expect(calls()).toBe(3);
  });
});

it('keeps the skills of a network drive that is away, and none of a directory that is closed or gone', async () => {
  const root = await makeRoot();
  let errno: string | undefined;
  const files: FileSystem = {
    ...nodeFileSystem,
    realpath: (path) => (errno === 'ESTALE' ? fail() : nodeFileSystem.realpath(path)),
    openDirectory: (path) => (errno === undefined ? nodeFileSystem.openDirectory(path) : fail()),
  };
  const fail = (): never => {
    throw Object.assign(new Error(`${errno}`), { code: errno });
  };
  const sources = [createFileSource(files, root, {})];
  const previous = await loadCatalog(sources);
  const outcomes: Record<string, unknown> = {};
  for (errno of ['ESTALE', 'EIO', 'ETIMEDOUT', 'EACCES', 'ENOENT']) {
    const { skills, diagnostics } = await loadCatalog(sources, { previous });
    outcomes[errno] = [skills.length, ...diagnostics.map(({ code }) => code)];
  }
  expect(outcomes).toEqual({
    ESTALE: [4, 'source-kept'],
    EIO: [4, 'source-kept'],
    ETIMEDOUT: [4, 'source-kept'],
    EACCES: [0, 'root-unreadable'],
    ENOENT: [0, 'root-missing', 'skills-not-found'],
  });
  errno = 'EIO';
  expect((await loadCatalog(sources)).diagnostics.map(({ code }) => code)).toEqual(['root-unreadable']);
});

it('reports a root that may not be entered once, and no SKILL.md in it, which nobody could see', async () => {
  const root = await makeRoot();
  const refuse = <Result>(call: (path: string) => Result, isRefused: (path: string) => boolean) => {
    return (path: string): Result => {
      if (isRefused(path)) throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' });
      return call(path);
    };
  };
  const isInside = (path: string) => path !== root && isAtOrBelow(root, path);
  const { open, lstat, lstatExactly, lstatIfThere, stat, realpath, openDirectory } = nodeFileSystem;
  const files: FileSystem = {
    ...nodeFileSystem,
    open: (path, flags) => refuse((allowed) => open(allowed, flags), isInside)(path),
    lstat: refuse(lstat, isInside),
    lstatExactly: refuse(lstatExactly, isInside),
    lstatIfThere: refuse(lstatIfThere, isInside),
    stat: refuse(stat, isInside),
    realpath: refuse(realpath, isInside),
    openDirectory: refuse(openDirectory, (path) => isAtOrBelow(root, path)),
  };
  const { entries, diagnostics } = await list(files, root);
  expect([entries, diagnostics.map(({ code, location }) => [code, location])]).toEqual([
    [],
    [['root-unreadable', root]],
  ]);
});

it.each([
  ['a link', 'elsewhere', 'd'],
  ['a mount', 'skills/group', 'group'],
])('keeps the skills of a network drive behind %s that is away', async (_, drive, name) => {
  const root = await makeRoot();
  const mounted = join(root, '..', drive);
  let isAway = false;
  const isOnDrive = (place: unknown): boolean =>
    typeof place === 'string' &&
    [place, existsSync(place) ? realpathSync(place) : place].some((path) => isAtOrBelow(mounted, path));
  const calls = Object.entries(nodeFileSystem).map(([name, call]) => {
    const guarded = (...given: [never, never, never, never]) => {
      if (!isAway || !isOnDrive(given[0])) return call(...given);
      if (name === 'exists') return false;
      throw Object.assign(new Error('ESTALE'), { code: 'Unknown system error -116' });
    };
    return [name, guarded];
  });
  const sources = [createFileSource(Object.fromEntries(calls), root, {})];
  const previous = await loadCatalog(sources);
  isAway = true;
  const { skills, diagnostics } = await loadCatalog(sources, { previous });
  expect([skills.length, ...diagnostics.map(({ message }) => message)]).toEqual([
    4,
    `The source failed: the network drive reported an error (ESTALE) for the directory \`${join(root, name)}\`; its last good result was kept.`,
  ]);
});

it.each([
  ['1970', 0],
  ['2106', 2 ** 32],
])('X17: a file whose time says %s is listed and recognised like any other', async (_, seconds) => {
  const root = await makeRoot();
  utimesSync(join(root, 'a/SKILL.md'), seconds, seconds);
  await setTimeout(60);
  const source = createFileSource(nodeFileSystem, root, {});
  const first = await source.list();
  const known = new Map(first.entries.map((entry) => [entry.directory, entry]));
  const second = await source.list({ known });
  const unchanged = second.entries.filter(({ head }) => head.length === 0).map(({ directory }) => directory);
  expect(unchanged).toContain(join(root, 'a'));
});

it('files beside a `skill.md` can be listed and read even if the disk ignores letter case', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'SKILL.md': skillText('outer'),
    'low/skill.md': 'NOTES',
    'low/x.md': 'LOW',
    'linked/skill.md': { link: 'x.md' },
    'linked/x.md': 'LINKED',
    'inner/SKILL.md': { link: 'x.md' },
    'inner/x.md': 'INNER',
  });
  const find = (path: string): string => {
    const other = path.replace(/SKILL\.md$/, 'skill.md');
    return nodeFileSystem.lstatIfThere(path) === undefined ? other : path;
  };
  const ignoring: FileSystem = {
    ...nodeFileSystem,
    lstatIfThere: (path) => nodeFileSystem.lstatIfThere(find(path)),
    realpath: (path) => nodeFileSystem.realpath(find(path)),
  };
  const source = createFileSource(ignoring, root, {});
  const skill = (await source.list()).entries.find(({ directory }) => directory === root);
  if (skill === undefined) throw new Error('The skill was not found.');
  const { files } = await source.listFiles(skill);
  expect(files.map(({ path }) => path)).toEqual(['linked/skill.md', 'linked/x.md', 'low/skill.md', 'low/x.md']);
  const read = async (path: string) => new TextDecoder().decode(await source.readFile(skill, path));
  expect(await Promise.all(files.map(({ path }) => read(path)))).toEqual(['LINKED', 'LINKED', 'NOTES', 'LOW']);
  await expect(read('inner/x.md')).rejects.toMatchObject({ code: 'resource-unknown' });
});

it('on Linux, a disk that ignores letter case has no second `skill.md`, and no skill of another name', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'a/SKILL.md': skillText('a'), 'b/skill.md': skillText('b'), 'c/SKILL.MD': skillText('c') });
  const find = (path: string): string => {
    const names = nodeFileSystem.exists(dirname(path)) ? readdirSync(dirname(path)) : [];
    const known = names.find((name) => name.toLowerCase() === basename(path).toLowerCase());
    return known === undefined ? path : join(dirname(path), known);
  };
  const ignoring: FileSystem = {
    ...nodeFileSystem,
    exists: (path) => nodeFileSystem.exists(find(path)),
    lstatIfThere: (path) => nodeFileSystem.lstatIfThere(find(path)),
    lstat: (path) => nodeFileSystem.lstat(find(path)),
    open: (path, flags) => nodeFileSystem.open(find(path), flags),
    // Repeats the name that was asked for.
    realpath: (path) => (nodeFileSystem.exists(find(path)) ? path : nodeFileSystem.realpath(path)),
  };
  const first = await createFileSource(ignoring, root, {}).list();
  const known = new Map(first.entries.map((entry) => [entry.directory, entry]));
  for (const list of [first, await createFileSource(ignoring, root, {}).list({ known })]) {
    expect(list.entries.map(({ directory }) => directory)).toEqual([join(root, 'a')]);
    expect(list.diagnostics.map(({ code, location }) => [code, location])).toEqual([
      ['skill-file-case', join(root, 'b/skill.md')],
      ['skill-file-case', join(root, 'c/SKILL.MD')],
    ]);
  }
});

it.each([
  ['ino', 0x65735546, 'is still read in user space, where inodes change', 'GUIDE'],
  ['ino', 0x794c7630, 'was replaced in a container', 'resource-unreadable'],
  ['ino', 0xef53, 'was replaced', 'resource-unreadable'],
  ['birthtimeMs', 0x794c7630, 'is still read in a container, where a change of a file changes it', 'GUIDE'],
  ['birthtimeMs', 0xef53, 'was replaced', 'resource-unreadable'],
] as const)('a directory with another %s on a disk of type %i %s', async (field, type, _, expected) => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'pdf/SKILL.md': skillText('pdf'), 'pdf/guide.md': 'GUIDE' });
  let count = 0;
  const renumber = (status: Stats): Stats => {
    count += 1;
    return status.isDirectory() ? Object.assign(status, { [field]: count * 1_000 }) : status;
  };
  const forgetful: FileSystem = {
    ...nodeFileSystem,
    lstat: (path) => renumber(nodeFileSystem.lstat(path)),
    fstat: (descriptor) => renumber(nodeFileSystem.fstat(descriptor)),
    typeOf: () => type,
  };
  const source = createFileSource(forgetful, root, {});
  const [skill] = (await source.list()).entries;
  if (skill === undefined) throw new Error('The skill was not found.');
  const reading = source.readFile(skill, 'guide.md').then((bytes) => new TextDecoder().decode(bytes));
  expect(await reading.catch(({ code }) => code)).toBe(expected);
  expect((await source.listFiles(skill)).files.map(({ path }) => path)).toEqual(
    expected === 'GUIDE' ? ['guide.md'] : [],
  );
});

describe.runIf(process.platform === 'linux')('if the kernel does not answer', () => {
  const mute: FileSystem = {
    ...nodeFileSystem,
    readlink: () => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    },
  };

  it('links that leave the skill are still refused', async () => {
    const root = await makeRoot();
    await writeTree(root, { 'a/out': { link: '../group' }, 'a/in': { link: 'refs' } });
    const skill = await findSkill(root);
    const source = createFileSource(mute, root, {});
    expect((await source.list()).entries).toHaveLength(4);
    expect(new TextDecoder().decode(await source.readFile(skill, 'in/x.md'))).toBe('INSIDE');
    await expect(source.readFile(skill, 'out/b/SKILL.md')).rejects.toMatchObject({ code: 'resource-outside-skill' });
  });

  it('a skill asks for a reload if a link has replaced a directory above it', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, { 'skills/a/SKILL.md': skillText('a'), 'skills/a/x.md': 'x' });
    const source = createFileSource(mute, join(top, 'skills'), {});
    const [skill] = (await source.list()).entries as [SkillEntry];
    renameSync(join(top, 'skills'), join(top, 'elsewhere'));
    await writeTree(top, { skills: { link: 'elsewhere' } });
    const message =
      'The directory of the skill has been moved or replaced since the catalog was loaded. Reload the catalog.';
    for (const path of ['SKILL.md', 'x.md', 'missing.md']) {
      await expect(source.readFile(skill, path)).rejects.toMatchObject({ code: 'resource-unreadable', message });
    }
  });
});

it.each([
  ['as links, as Windows lists those of a cloud drive', true],
  ['without a type, which some file systems do not tell', false],
])('finds skills and their files in directories that are listed %s', async (_, isLink) => {
  const root = await makeRoot();
  const files: FileSystem = {
    ...nodeFileSystem,
    openDirectory(path) {
      const directory = nodeFileSystem.openDirectory(path);
      const readSync = (): Dirent | null => {
        const entry = directory.readSync();
        const isOfType = (): boolean => false;
        if (entry?.isDirectory() || (entry !== null && !isLink)) {
          Object.assign(entry, { isDirectory: isOfType, isFile: isOfType, isSymbolicLink: () => isLink });
        }
        return entry;
      };
      return Object.assign(Object.create(directory), { readSync, closeSync: () => directory.closeSync() });
    },
  };
  const source = createFileSource(files, root, {});
  const { skills, diagnostics } = await loadCatalog([source]);
  expect([skills.map(({ name }) => name), diagnostics]).toEqual([['a', 'b', 'c', 'd'], []]);
  const skill = skills.find(({ name }) => name === 'a');
  expect(skill && (await source.listFiles(skill)).files.map(({ path }) => path)).toEqual([
    'agents/openai.yaml',
    'refs/x.md',
  ]);
});
