import { renameSync, type Stats, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isBelow, isStable, openContained, pathBelow, stampOf } from '../../../src/node/disk/contained-file.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

/** Swaps `skill/file` for something else between the check of its path and the open, and notes what was really opened. */
async function openWhile(swap: (file: string, secret: string) => void, isKernelMute: boolean) {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'skill/file': 'INSIDE', secret: 'SECRET' });
  const opened: number[] = [];
  const closed: number[] = [];
  const files: FileSystem = {
    ...nodeFileSystem,
    open(path, flags) {
      renameSync(path, `${path}.old`);
      swap(path, join(root, 'secret'));
      const descriptor = nodeFileSystem.open(path, flags);
      opened.push(descriptor);
      return descriptor;
    },
    close(descriptor) {
      closed.push(descriptor);
      nodeFileSystem.close(descriptor);
    },
    readlink(path) {
      if (isKernelMute) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      return nodeFileSystem.readlink(path);
    },
  };
  let code: unknown = 'nothing';
  try {
    openContained(files, join(root, 'skill'), ['file']);
  } catch (error) {
    code = (error as { readonly code?: unknown }).code;
  }
  expect(closed).toEqual(opened);
  return { code, opened: opened.length };
}

describe.runIf(process.platform === 'linux').each([
  ['the kernel names what was opened', false],
  ['the kernel does not answer', true],
])('a file that is swapped between the check and the open, if %s,', (_, isKernelMute) => {
  it('is not even opened if it became a link, because just opening a device can have an effect', async () => {
    expect(await openWhile((file, secret) => symlinkSync(secret, file), isKernelMute)).toEqual({
      code: 'ELOOP',
      opened: 0,
    });
  });
});

/** A file system in which a file is moved right after it was opened. */
function moving(target: string): FileSystem {
  return {
    ...nodeFileSystem,
    open(path, flags) {
      const descriptor = nodeFileSystem.open(path, flags);
      renameSync(path, target);
      return descriptor;
    },
  };
}

it.runIf(process.platform === 'linux')(
  'a file that moved out of the directory while it was opened is refused',
  async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skill/file': 'INSIDE', elsewhere: { directory: 0o755 } });
    const files = moving(join(root, 'elsewhere/file'));
    expect(() => openContained(files, join(root, 'skill'), ['file'])).toThrow('leads out of the skill directory');
  },
);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.runIf(process.platform === 'linux')('a kernel that does not name what was opened', () => {
  const fail = (): never => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  };
  const refused = expect.objectContaining({ code: 'resource-outside-skill' });

  /** Opens `skill/sub/file` while `swap` changes the tree just before the open, and `restore` just after it. */
  async function open(swap: (root: string) => void, restore: (root: string) => void = () => undefined) {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skill/sub/file': 'INSIDE', 'outside/file': 'SECRET' });
    const files: FileSystem = {
      ...nodeFileSystem,
      readlink: fail,
      open(path, flags) {
        swap(root);
        const descriptor = nodeFileSystem.open(path, flags);
        restore(root);
        return descriptor;
      },
    };
    // Only the first of the checks is repeated, so that each of them has to be made at least once.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    return () => openContained(files, join(root, 'skill'), ['sub', 'file']);
  }

  it('does not hide that another file was at the path for a moment', async () => {
    const exchange = (root: string): void => {
      renameSync(join(root, 'skill/sub/file'), join(root, 'aside'));
      renameSync(join(root, 'outside/file'), join(root, 'skill/sub/file'));
    };
    const undo = (root: string): void => {
      renameSync(join(root, 'skill/sub/file'), join(root, 'outside/file'));
      renameSync(join(root, 'aside'), join(root, 'skill/sub/file'));
    };
    expect(await open(exchange, undo)).toThrow(refused);
  });

  it('leaves it to the caller to check that the directory itself is the same', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skill/file': 'INSIDE' });
    const checkDirectory = (): never => {
      throw new Error('it was replaced');
    };
    const path = join(root, 'skill');
    expect(() => openContained({ ...nodeFileSystem, readlink: fail }, path, ['file'], { checkDirectory })).toThrow(
      'it was replaced',
    );
    const { descriptor } = openContained(nodeFileSystem, path, ['file'], { checkDirectory });
    nodeFileSystem.close(descriptor);
  });

  it('does not hide that a directory above the file has become a link', async () => {
    const link = (root: string): void => {
      renameSync(join(root, 'skill/sub'), join(root, 'aside'));
      symlinkSync(join(root, 'outside'), join(root, 'skill/sub'));
    };
    expect(await open(link)).toThrow(refused);
  });
});

it.runIf(process.platform === 'linux')(
  'a file that moved while it was opened is checked again, because it may belong to another skill now',
  async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skill/file': 'INSIDE', 'skill/inner': { directory: 0o755 } });
    const files = moving(join(root, 'skill/inner/file'));
    const checkFile = (real: string): void => {
      if (real.includes('inner')) throw new Error('it belongs to another skill');
    };
    expect(() => openContained(files, join(root, 'skill'), ['file'], { checkFile })).toThrow('another skill');
  },
);

it.runIf(process.platform !== 'win32')('everything is below the root of a file system but itself', () => {
  expect([isBelow('/', '/etc'), isBelow('/etc', '/etc'), isBelow('/etc', '/etcetera')]).toEqual([true, false, false]);
  expect([pathBelow('/', '/etc/passwd'), pathBelow('/etc', '/etc/passwd')]).toEqual(['etc/passwd', 'passwd']);
});

it.each([
  ['51 ms ago', true, 1_795_340_253_977.5, 51],
  ['49 ms ago', false, 1_795_340_253_977.5, 49],
  ['two seconds ago, by a clock that may count in steps of two', false, 1_795_340_253_000, 2000],
  ['longer ago, by a clock that may count in steps of two', true, 1_795_340_253_000, 2001],
])('the next change of a file that was changed %s is sure to be seen: %s', (_, isSure, ctimeMs, later) => {
  vi.useFakeTimers({ now: Math.ceil(ctimeMs) + later });
  expect(isStable({ ctimeMs } as Stats)).toBe(isSure);
});

describe('a stamp', () => {
  const written = { ino: 7, size: 3, mtimeMs: 1_795_340_253_977.109, ctimeMs: 1_795_340_253_977.109 };
  const stamp = (change: Partial<typeof written> = {}): string => stampOf({ ...written, ...change } as Stats);

  it.each([{}, { mtimeMs: -0.5 }])('is the inode, the size and the times of a file with %o', (change) => {
    const { ino, size, mtimeMs, ctimeMs } = { ...written, ...change };
    const bytes = Uint8Array.from(stamp(change), (character) => character.charCodeAt(0));
    expect([...new Float64Array(bytes.buffer)]).toEqual([ino, size, mtimeMs, ctimeMs]);
  });

  it.each([
    { ino: 8 },
    { size: 4 },
    { mtimeMs: 1_795_340_253_977.11 },
    { ctimeMs: 1_795_340_253_977.11 },
    { mtimeMs: 1_795_340_254_977.109, ctimeMs: 1_795_340_254_977.109 },
  ])('changes with %o', (change) => {
    expect(stamp(change)).not.toBe(stamp());
  });
});
