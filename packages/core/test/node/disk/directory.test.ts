import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from '../../../src/node/disk/directory.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

it.runIf(process.platform === 'linux')('makes missing parents with the same permissions, and closes them', async () => {
  const root = await makeTemporaryDirectory();
  const open = readdirSync('/proc/self/fd').length;
  makeDirectory(join(root, 'a/b'), 0o700);
  makeDirectory(join(root, 'a/b'));
  const modes = ['a', 'a/b'].map((name) => lstatSync(join(root, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
  expect(readdirSync('/proc/self/fd')).toHaveLength(open);
});

it('makes none in the place of a file', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'x' });
  expect(() => makeDirectory(join(root, 'file'))).toThrow('EEXIST');
  expect(() => makeDirectory(join(root, 'file/below'))).toThrow('EEXIST');
});
