// Advances a stopped clock with each disk call, and counts the turns that other work gets: one whenever 12 ms are over.

import { describe, expect, it } from 'vitest';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { countTurns, stopClock } from '../../runtime/event-loop.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const numbers = Array.from({ length: 60 }, (_, n) => n);

async function makeSkills(): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, Object.fromEntries(numbers.map((n) => [`s${n}/SKILL.md`, skillText(`s${n}`)])));
  return root;
}

describe('other work gets a turn', () => {
  it('after every second skill that takes 6 ms to discover', async () => {
    const root = await makeSkills();
    const pass = stopClock();
    const open: FileSystem['open'] = (path, flags) => {
      if (path.endsWith('SKILL.md')) pass(6);
      return nodeFileSystem.open(path, flags);
    };
    const source = createFileSource({ ...nodeFileSystem, open }, root, {});
    expect(await countTurns(() => source.list())).toBeGreaterThanOrEqual(30 - 1);
  });

  it('after every second link that takes 6 ms to follow', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skills/a/SKILL.md': skillText('a') });
    await writeTree(root, Object.fromEntries(numbers.map((n) => [`skills/link${n}`, { link: 'a' }])));
    const pass = stopClock();
    const realpath: FileSystem['realpath'] = (path) => {
      if (path.includes('link')) pass(6);
      return nodeFileSystem.realpath(path);
    };
    const source = createFileSource({ ...nodeFileSystem, realpath }, root, {});
    expect(await countTurns(() => source.list())).toBeGreaterThanOrEqual(30 - 1);
  });

  it('before what was found is sorted, if the last skill took 12 ms', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'SKILL.md': skillText('a') });
    const pass = stopClock();
    const source = (milliseconds: number) => {
      const open: FileSystem['open'] = (path, flags) => {
        if (path.endsWith('SKILL.md')) pass(milliseconds);
        return nodeFileSystem.open(path, flags);
      };
      return createFileSource({ ...nodeFileSystem, open }, root, {});
    };
    expect([await countTurns(() => source(11).list()), await countTurns(() => source(12).list())]).toEqual([1, 2]);
  });

  it('after every 1,024 names of a directory that take 12 ms to read', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a') });
    const pass = stopClock();
    const openDirectory: FileSystem['openDirectory'] = (path) => {
      const directory = nodeFileSystem.openDirectory(path);
      const entry = directory.readSync();
      let read = 0;
      const readSync = () => {
        read += 1;
        if (read % 1024 === 0) pass(12);
        return read <= 10 * 1024 ? entry : null;
      };
      return Object.assign(Object.create(directory), { readSync, closeSync: () => directory.closeSync() });
    };
    const source = createFileSource({ ...nodeFileSystem, openDirectory }, root, {});
    expect(await countTurns(() => source.list())).toBeGreaterThanOrEqual(10);
  });

  it('after every second bundled file that takes 6 ms to list', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a') });
    await writeTree(root, Object.fromEntries(numbers.map((n) => [`a/refs/${n}.md`, ''])));
    const pass = stopClock();
    const lstat: FileSystem['lstat'] = (path) => {
      if (path.endsWith('.md')) pass(6);
      return nodeFileSystem.lstat(path);
    };
    const source = createFileSource({ ...nodeFileSystem, lstat }, root, {});
    const skill = (await source.list()).entries[0];
    if (skill === undefined) throw new Error('The skill was not found.');
    expect(await countTurns(() => source.listFiles(skill))).toBeGreaterThanOrEqual(30 - 1);
  });

  it('after every mebibyte of a large file that takes 12 ms to read', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/large': 'x'.repeat(5 * 1024 * 1024) });
    const pass = stopClock();
    const read: FileSystem['read'] = (...input) => {
      pass(12);
      return nodeFileSystem.read(...input);
    };
    const source = createFileSource({ ...nodeFileSystem, read }, root, {});
    const skill = (await source.list()).entries[0];
    if (skill === undefined) throw new Error('The skill was not found.');
    expect(await countTurns(() => source.readFile(skill, 'large'))).toBeGreaterThanOrEqual(4);
  });
});
