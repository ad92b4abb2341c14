import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readNames } from '../../../src/node/discovery/directory-names.ts';
import { nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { createSlices } from '../../../src/node/disk/slices.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

it('reads up to its bound and says when there was more', async () => {
  const root = await makeTemporaryDirectory();
  for (const name of ['b', 'a', 'c']) await mkdir(join(root, name));
  const read = async (maxEntries: number) => {
    const options = { maxEntries, hidden: false, signal: undefined };
    const { directories, truncated } = await readNames(nodeFileSystem, root, createSlices(undefined), options);
    return [directories.length, truncated];
  };
  expect([await read(2), await read(3), await read(4)]).toEqual([
    [2, true],
    [3, false],
    [3, false],
  ]);
});

it('passes over hidden directories, or takes all of them but .git', async () => {
  const root = await makeTemporaryDirectory();
  for (const name of ['a', '.git', '.claude', 'node_modules']) await mkdir(join(root, name));
  const read = async (hidden: boolean) => {
    const options = { maxEntries: 10, hidden, signal: undefined };
    return (await readNames(nodeFileSystem, root, createSlices(undefined), options)).directories;
  };
  expect([await read(false), await read(true)]).toEqual([['a'], ['.claude', 'a']]);
});
