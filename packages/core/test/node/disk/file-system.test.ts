import { execFileSync } from 'node:child_process';
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { containment } from '../../../src/node/disk/contained-file.ts';
import { errnoOf, type FileSystem, inodeOf, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

const asNumbers = (dev: bigint, ino: bigint): Stats => ({ dev: Number(dev), ino: Number(ino) }) as Stats;
const exactly = (dev: bigint, ino: bigint): FileSystem => ({
  ...nodeFileSystem,
  lstatExactly: () => ({ dev, ino }) as BigIntStats,
});
const nameOf = (dev: bigint, ino: bigint): string => inodeOf(exactly(dev, ino), asNumbers(dev, ino), '/file');

it('distinguishes inodes that a double cannot represent', () => {
  const large = 2n ** 60n;
  expect([nameOf(1n, large), nameOf(1n, large + 1n)]).toEqual([`1:${large}`, `1:${large + 1n}`]);
  expect([nameOf(1n, 7n), nameOf(2n, 7n)]).toEqual(['1:7', '2:7']);
});

it('returns the same for a device with more bits, or with a sign, as Windows has for paths', () => {
  const short = 0xbc90_81ffn;
  for (const dev of [short, 0x1234_0000_0000n + short, 0x7edc_1234_0000_0000n + short, short - 2n ** 32n]) {
    expect(nameOf(dev, 7n)).toBe(`${short}:7`);
  }
});

it('returns the same for an open file and its path', async () => {
  const path = join(await makeTemporaryDirectory(), 'file');
  const descriptor = openSync(path, 'w');
  onTestFinished(() => closeSync(descriptor));
  const opened = inodeOf(nodeFileSystem, fstatSync(descriptor), descriptor);
  expect(inodeOf(nodeFileSystem, lstatSync(path), path)).toBe(opened);
  const { dev, ino } = nodeFileSystem.lstatExactly(path);
  expect(nameOf(dev, ino)).toBe(opened);
});

it.each(['ERR_INVALID_ARG_VALUE', 'eacces', 7, undefined])('takes the code %j for none of the file system', (code) => {
  const error = Object.assign(new Error('a mistake'), { code });
  expect(() => errnoOf(error)).toThrow(error);
  expect(errnoOf(Object.assign(new Error(), { code: 'ENOENT' }))).toBe('ENOENT');
});

it.each([
  ['Unknown system error -116', 'ESTALE'],
  ['Unknown system error -126', 'Unknown system error -126'],
  ['UNKNOWN', 'UNKNOWN'],
])('takes %j, for which Node has no name, for %j', (code, name) => {
  expect(errnoOf(Object.assign(new Error(), { code }))).toBe(name);
});

// Older versions call the option `--experimental-permission`.
const isOld = !process.allowedNodeEnvironmentFlags.has('--permission');

it.skipIf(isOld)('reads what the permission model of Node allows, and reports the rest', async () => {
  const directory = await makeTemporaryDirectory();
  for (const name of ['granted', 'denied']) {
    mkdirSync(join(directory, name, name), { recursive: true });
    writeFileSync(join(directory, name, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Reads.\n---\nGo.\n`);
  }
  const workspace = fileURLToPath(new URL('../../../../..', import.meta.url));
  const program = `
    import { loadCatalog } from '@skillful/core';
    import { clientPreset, containment, fileSource, loadSettings } from '@skillful/core/node';
    const directory = ${JSON.stringify(directory)};
    const sources = ['granted', 'denied'].map((name) => fileSource(directory + '/' + name, { id: name }));
    const { skills, diagnostics } = await loadCatalog(sources);
    const refused = diagnostics.filter(({ source }) => source === 'denied').map(({ code }) => code);
    await loadSettings();
    const environment = { HOME: directory, SKILLFUL_SKILLS_DIR: directory + '/denied' };
    await loadCatalog(await clientPreset(undefined, { cwd: directory + '/granted', environment }));
    console.log(JSON.stringify([skills.map(({ name }) => name), refused, containment()]));`;
  const allowed = [workspace, join(directory, 'granted'), '/proc'].map((path) => `--allow-fs-read=${path}`);
  const flags = ['--permission', ...allowed, '--conditions=skillful-source', '--input-type=module', '--eval', program];
  const told = execFileSync(process.execPath, flags, { cwd: join(workspace, 'packages/core'), encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual([['granted'], ['root-unreadable'], containment()]);
});

it('returns the code of an error from another realm, as in Jest, where no error of Node is an instance of `Error`', () => {
  expect(errnoOf(runInNewContext('Object.assign(new Error(), { code: "ENOENT" })'))).toBe('ENOENT');
});
