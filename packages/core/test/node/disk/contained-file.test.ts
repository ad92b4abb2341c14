import { renameSync, type Stats, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openContained, stampOf } from '../../../src/node/disk/contained-file.ts';
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

it.runIf(process.platform === 'linux')(
  'a file that moved out of the directory while it was opened is refused',
  async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skill/file': 'INSIDE', elsewhere: { directory: 0o755 } });
    const files: FileSystem = {
      ...nodeFileSystem,
      open(path, flags) {
        const descriptor = nodeFileSystem.open(path, flags);
        renameSync(path, join(root, 'elsewhere/file'));
        return descriptor;
      },
    };
    expect(() => openContained(files, join(root, 'skill'), ['file'])).toThrow('leads out of the skill directory');
  },
);

describe('a stamp', () => {
  const written = { ino: 7, size: 3, mtimeMs: 1_795_340_253_977.109, ctimeMs: 1_795_340_253_977.109 };
  const stamp = (change: Partial<typeof written> = {}): string => stampOf({ ...written, ...change } as Stats);

  it('is the inode, the size and the times of a file, to the microsecond', () => {
    expect(stamp()).toBe('7:3:1795340253:977109');
    expect(stamp({ mtimeMs: -0.5 })).toBe('7:3:1795340253:977109:-1:-500');
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
