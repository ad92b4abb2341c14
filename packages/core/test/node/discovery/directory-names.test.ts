import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readNames } from '../../../src/node/discovery/directory-names.ts';
import { nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { createTurn } from '../../../src/runtime/turns.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

it('reads up to its limit and says whether there was more', async () => {
  const root = await makeTemporaryDirectory();
  for (const name of ['b', 'a', 'c']) await mkdir(join(root, name));
  const read = async (maxEntries: number) => {
    const options = { maxEntries, hidden: false, signal: undefined };
    const { directories, truncated } = await readNames(nodeFileSystem, root, createTurn(), options);
    return [directories.length, truncated];
  };
  expect([await read(2), await read(3), await read(4)]).toEqual([
    [2, true],
    [3, false],
    [3, false],
  ]);
});

it('returns no hidden directories, or all of them except .git', async () => {
  const root = await makeTemporaryDirectory();
  for (const name of ['a', '.git', '.claude', 'node_modules']) await mkdir(join(root, name));
  const read = async (hidden: boolean) => {
    const options = { maxEntries: 10, hidden, signal: undefined };
    return (await readNames(nodeFileSystem, root, createTurn(), options)).directories;
  };
  expect([await read(false), await read(true)]).toEqual([['a'], ['.claude', 'a']]);
});

it('lets other work have a turn before it sorts, because 100,000 names take a while', async () => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, 'a'));
  let turns = 0;
  const turn = (): undefined => {
    turns += 1;
  };
  await readNames(nodeFileSystem, root, turn, { maxEntries: 10, hidden: false, signal: undefined });
  expect(turns).toBe(1);
});
