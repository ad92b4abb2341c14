// The proof by standstill must fail whenever anything on the way was touched, even if all is as it was when it is asked.

import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { observeStandstill } from '../../../src/node/discovery/standstill.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';
import { createStillFileSystem, letTimePass } from './still-file-system.ts';

async function makeTree(): Promise<string> {
  const top = await makeTemporaryDirectory();
  await writeTree(top, {
    'on/the/way/a/SKILL.md': skillText('a'),
    'on/the/way/b/SKILL.md': skillText('b'),
    'secret/SKILL.md': skillText('secret'),
    'on/the/link': { link: '../../secret' },
  });
  return top;
}

describe.runIf(process.platform === 'linux')('a standstill', () => {
  it('holds while files change below the directories that are in the last one of the way', async () => {
    const top = await makeTree();
    await letTimePass();
    const standstill = observeStandstill(createStillFileSystem(top), join(top, 'on/the/way'));
    writeFileSync(join(top, 'on/the/way/a/SKILL.md'), skillText('a', 'changed'));
    writeFileSync(join(top, 'on/the/way/b/more.md'), '');
    expect(standstill?.holds()).toBe(true);
  });

  it.each<[string, (at: (path: string) => string) => void]>([
    ['a directory was put in', (at) => mkdirSync(at('on/the/way/c'))],
    ['a directory was taken out', (at) => rmSync(at('on/the/way/a'), { recursive: true })],
    [
      'a directory was exchanged for a link, and back',
      (at) => {
        renameSync(at('on/the/way/b'), at('aside'));
        symlinkSync(at('secret'), at('on/the/way/b'));
        rmSync(at('on/the/way/b'));
        renameSync(at('aside'), at('on/the/way/b'));
      },
    ],
    [
      'a directory far above was exchanged, and back',
      (at) => {
        renameSync(at('on'), at('aside'));
        renameSync(at('secret'), at('on'));
        renameSync(at('on'), at('secret'));
        renameSync(at('aside'), at('on'));
      },
    ],
    [
      'the time that a program can set was set back after a change',
      (at) => {
        mkdirSync(at('on/the/way/c'));
        rmSync(at('on/the/way/c'), { recursive: true });
        utimesSync(at('on/the/way'), 0, 0);
      },
    ],
    ['the directory itself has gone', (at) => renameSync(at('on/the/way'), at('on/the/other'))],
  ])('no longer holds where %s', async (_, change) => {
    const top = await makeTree();
    await letTimePass();
    const standstill = observeStandstill(createStillFileSystem(top), join(top, 'on/the/way'));
    change((path) => join(top, path));
    expect([standstill?.holds(), standstill?.holds()]).toEqual([false, false]);
  });

  it('is not observed where times prove nothing', async () => {
    const top = await makeTree();
    const way = join(top, 'on/the/way');
    const observe = (files: FileSystem, path = way): string =>
      observeStandstill(files, path) === undefined ? 'nothing' : 'something';
    const fresh = observe(createStillFileSystem(top));
    await letTimePass();
    const refuse = (code: string) => (): never => {
      throw Object.assign(new Error(code), { code });
    };
    expect({
      fresh,
      settled: observe(createStillFileSystem(top)),
      network: observe(createStillFileSystem(top, { kindOf: () => 0x6969 })),
      overlay: observe(createStillFileSystem(top, { kindOf: () => 0x794c7630 })),
      unknown: observe(createStillFileSystem(top, { kindOf: refuse('ENOSYS') })),
      hidden: observe(createStillFileSystem(top, { lstat: refuse('EACCES') })),
      link: observe(createStillFileSystem(top), join(top, 'on/the/link')),
      gone: observe(createStillFileSystem(top), join(top, 'nowhere')),
    }).toEqual({
      fresh: 'nothing',
      settled: 'something',
      network: 'nothing',
      overlay: 'nothing',
      unknown: 'nothing',
      hidden: 'nothing',
      link: 'nothing',
      gone: 'nothing',
    });
  });
});

describe.runIf(process.platform === 'linux')('a listing', () => {
  /** Exchanges `b` for a link to the secret while `SKILL.md` is opened for the first time, and counts the questions to the kernel. */
  async function listWhile(swaps: boolean) {
    const top = await makeTree();
    const root = join(top, 'on/the/way');
    await letTimePass();
    let opened = 0;
    let asked = 0;
    const files = createStillFileSystem(top, {
      open(path, flags) {
        if (path !== join(root, 'b/SKILL.md')) return nodeFileSystem.open(path, flags);
        opened += 1;
        if (!swaps || opened > 1) return nodeFileSystem.open(path, flags);
        renameSync(join(root, 'b'), join(top, 'aside'));
        symlinkSync(join(top, 'secret'), join(root, 'b'));
        const descriptor = nodeFileSystem.open(path, flags);
        rmSync(join(root, 'b'));
        renameSync(join(top, 'aside'), join(root, 'b'));
        return descriptor;
      },
      readlink(path) {
        asked += 1;
        return nodeFileSystem.readlink(path);
      },
    });
    const source = createFileSource(files, root, { skillsChild: false });
    const { entries, diagnostics } = await source.list();
    const names = entries.map(({ head }) => /name: (.*)/.exec(new TextDecoder().decode(head))?.[1]);
    return { names, diagnostics, opened, asked };
  }

  it('is proven at once where nothing moves', async () => {
    expect(await listWhile(false)).toEqual({
      names: ['a', 'b'],
      diagnostics: [],
      opened: 1,
      asked: 0,
    });
  });

  it('reads everything again by itself where a directory led elsewhere for a moment', async () => {
    expect(await listWhile(true)).toEqual({ names: ['a', 'b'], diagnostics: [], opened: 2, asked: 2 });
  });
});
