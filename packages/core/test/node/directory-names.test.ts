import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readNames } from '../../src/node/directory-names.ts';
import { nodeFileSystem } from '../../src/node/file-system.ts';
import { createSlices } from '../../src/node/slices.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

it('reads up to its bound and says when there was more', async () => {
  const root = await makeTemporaryDirectory();
  for (const name of ['b', 'a', 'c']) await mkdir(join(root, name));
  const read = async (bound: number) => {
    const { directories, truncated } = await readNames(nodeFileSystem, root, bound, createSlices(undefined), undefined);
    return [directories.length, truncated];
  };
  expect([await read(2), await read(3), await read(4)]).toEqual([
    [2, true],
    [3, false],
    [3, false],
  ]);
});
