import { chmodSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { readSmallText } from '../../../src/node/disk/read.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

it('reads a file that is as long as the limit, and none that is longer', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'four' });
  expect(readSmallText(join(root, 'file'), 4)).toEqual({ text: 'four' });
  expect(readSmallText(join(root, 'file'), 3)).toEqual({ problem: 'it has more than 3 bytes' });
});

it('finds nothing below a file, as in a directory that is missing', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'four' });
  expect(readSmallText(join(root, 'file/below'), 4)).toBeUndefined();
  expect(readSmallText(join(root, 'missing/below'), 4)).toBeUndefined();
});

it.runIf(process.platform === 'linux')('reads a whole file that claims to be empty, and closes it', () => {
  const open = readdirSync('/proc/self/fd').length;
  const text = readFileSync('/proc/version', 'utf8');
  expect(readSmallText('/proc/version', 4096)).toEqual({ text });
  expect(readSmallText('/proc/version', text.length - 1)).toEqual({
    problem: `it has more than ${text.length - 1} bytes`,
  });
  expect(readdirSync('/proc/self/fd')).toHaveLength(open);
});

it.skipIf(process.platform === 'win32')('follows no link in a directory that it has to stay in', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'four' });
  symlinkSync('file', join(root, 'link'));
  expect(readSmallText(join(root, 'link'), 4)).toEqual({ text: 'four' });
  const problem = 'it is behind a link, which is not followed';
  expect(readSmallText(join(root, 'link'), 4, { within: root, allowUnsafe: true })).toEqual({ problem });
});

it('reads no file that is outside of the directory from the beginning', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'four', inside: { directory: 0o755 } });
  const problem = 'it leads out of its directory';
  expect(readSmallText(join(root, 'file'), 4, { within: join(root, 'inside'), allowUnsafe: true })).toEqual({
    problem,
  });
});

it.each([(path: string) => `${path}/`, (path: string) => relative(process.cwd(), path)])(
  'reads below a directory, however its path is written: %#',
  async (write) => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { file: 'four' });
    expect(readSmallText(join(write(root), 'file'), 4, { within: write(root) })).toEqual({ text: 'four' });
  },
);

it.each([{ within: '' }, { wihtin: '/' }])('refuses the options %j', async (options) => {
  const path = join(await makeTemporaryDirectory(), 'file');
  expect(() => readSmallText(path, 4, options)).toThrow(expect.objectContaining({ code: 'options-invalid' }));
});

it.skipIf(process.platform === 'win32')('reads what others can write to only if it is told to', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'four' });
  chmodSync(root, 0o777);
  const path = join(root, 'file');
  const problem = 'everyone can write to a directory above it';
  expect(readSmallText(path, 4, { within: root })).toEqual({ problem });
  expect(readSmallText(path, 4, { within: root, allowUnsafe: true })).toEqual({ text: 'four' });
});
