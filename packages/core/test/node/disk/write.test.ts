import { chownSync, lchownSync, lstatSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, parse, relative } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { replaceFile, writeNewFile } from '../../../src/node/disk/write.ts';
import { fileSource, removeSkill, writeSkill } from '../../../src/node/index.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import { pretendPlatform } from '../pretend-platform.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';
import { realCalls, replaceCalls } from './replace-calls.ts';

const isPosix = process.platform !== 'win32';

/** Replaces a file while each of the first attempts to rename fails; returns what became of it. */
async function replaceWhile(code: string, failures: number) {
  const path = join(await makeTemporaryDirectory(), 'file');
  let attempts = 0;
  replaceCalls({
    renameSync(from: string, to: string) {
      attempts += 1;
      if (attempts <= failures) throw Object.assign(new Error(code), { code });
      realCalls.renameSync(from, to);
    },
  });
  const error = await replaceFile(path, 'new').catch(String);
  return { attempts, error, left: readdirSync(join(path, '..')) };
}

describe('a file that a scanner holds', () => {
  it.each(['EBUSY', 'EPERM'])('is renamed at the eighth attempt, two seconds later: %s', async (code) => {
    expect(await replaceWhile(code, 7)).toEqual({ attempts: 8, error: undefined, left: ['file'] });
  });

  it('is waited for on Windows if its skill is created or removed', async () => {
    const root = await makeTemporaryDirectory();
    const renamed: boolean[] = [];
    pretendPlatform('win32');
    replaceCalls({
      renameSync(from: string, to: string) {
        const fails = renamed.length % 2 === 0;
        renamed.push(!fails);
        if (fails) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        realCalls.renameSync(from, to);
      },
    });
    await writeSkill(root, { name: 'pdf', description: 'Reads PDFs.' });
    const [skill] = (await loadCatalog([fileSource(root, { scope: 'user' })])).skills as [Skill];
    await removeSkill(skill);
    expect([renamed, readdirSync(root)]).toEqual([[false, true, false, true], []]);
  });

  it('is not waited for if the disk fails for another reason', async () => {
    const error = 'SkillError: Writing to the disk failed: permission denied (EACCES); existing files are unchanged.';
    expect(await replaceWhile('EACCES', 7)).toEqual({ attempts: 1, error, left: [] });
  });
});

it.runIf(isPosix)('gives a file to its owner alone, unless a caller chooses other permissions', async () => {
  const root = await makeTemporaryDirectory();
  const [one, other] = [join(root, 'one'), join(root, 'other')];
  writeNewFile(one, 'x', { mode: 0o600 });
  await replaceFile(other, 'x');
  expect([one, other].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
});

it.runIf(process.getuid?.() === 0)('keeps the owner of a file that root replaces, but not that of a link', async () => {
  const root = await makeTemporaryDirectory();
  const [file, link] = [join(root, 'file'), join(root, 'link')];
  await writeTree(root, { file: 'x', link: { link: 'file' } });
  chownSync(file, 1234, 5678);
  lchownSync(link, 1234, 5678);
  const ownerOf = (path: string): readonly number[] => [lstatSync(path).uid, lstatSync(path).gid];
  for (const inPlace of [true, false]) {
    await replaceFile(file, 'y', { inPlace });
    expect(ownerOf(file)).toEqual([1234, 5678]);
  }
  await replaceFile(link, 'y');
  expect(ownerOf(link)).toEqual([0, process.getgid?.()]);
});

it.runIf(isPosix)('leaves alone what is not a file with the expected text, whatever it is', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { file: 'text', directory: { directory: 0o755 } });
  symlinkSync('file', join(root, 'link'));
  const server = createServer().listen(join(root, 'socket'));
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once('listening', done));
  for (const name of ['gone', 'link', 'directory', 'socket']) {
    const write = replaceFile(join(root, name), 'new', { expected: 'text' });
    await expect(write).rejects.toMatchObject({ code: 'skill-protected' });
  }
  expect(readdirSync(root).sort()).toEqual(['directory', 'file', 'link', 'socket']);
});

it.runIf(process.platform === 'linux')('closes each file and directory that it opens, also if it fails', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { outside: { directory: 0o755 }, 'inside/file': 'text' });
  symlinkSync('../outside', join(root, 'inside/link'));
  symlinkSync('../outside/missing', join(root, 'inside/broken'));
  const within = join(root, 'inside');
  const open = readdirSync('/proc/self/fd').length;
  await replaceFile(join(within, 'a/b/c/file'), 'new', { within });
  for (const name of ['link/file', 'broken/file', 'broken/d/file', 'file/d/file']) {
    await expect(replaceFile(join(within, name), 'new', { within })).rejects.toThrow('leads out');
  }
  await expect(replaceFile(join(within, 'a/b', 'x'.repeat(300), 'file'), 'new', { within })).rejects.toThrow();
  await expect(replaceFile(join(within, 'a'), 'new', { within })).rejects.toThrow('EISDIR');
  expect(readFileSync(join(within, 'a/b/c/file'), 'utf8')).toBe('new');
  expect(readdirSync(join(root, 'outside'))).toEqual([]);
  expect(readdirSync('/proc/self/fd')).toHaveLength(open);
});

it.each([(path: string) => `${path}/`, (path: string) => relative(process.cwd(), path)])(
  'writes below a directory, however its path is written: %#',
  async (write) => {
    const root = await makeTemporaryDirectory();
    await replaceFile(join(root, 'file'), 'new', { within: write(root) });
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('new');
  },
);

it('ends if not even the top is there, as on a drive that was unplugged', async () => {
  const root = await makeTemporaryDirectory();
  vi.spyOn(nodeFileSystem, 'exists').mockReturnValue(false);
  const realpath = vi.spyOn(nodeFileSystem, 'realpath').mockImplementation(() => {
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const write = writeSkill(join(root, 'skills'), { name: 'pdf', description: 'Reads PDFs.' }, { within: root });
  await expect(write).rejects.toMatchObject({ code: 'write-failed', cause: { code: 'ENOENT' } });
  expect(realpath).toHaveBeenCalledWith(parse(root).root);
});

it.each([{ within: '' }, { wihtin: '/' }])('writes nothing if the options are %j', async (options) => {
  const root = await makeTemporaryDirectory();
  const invalid = { code: 'options-invalid' };
  await expect(replaceFile(join(root, 'file'), 'new', options)).rejects.toMatchObject(invalid);
  await expect(writeSkill(root, { name: 'pdf', description: 'd' }, options)).rejects.toMatchObject(invalid);
  expect(readdirSync(root)).toEqual([]);
});

it.each<unknown>([undefined, 7, new Uint8Array([1]), Promise.resolve('new')])(
  'keeps a file rather than write %s',
  async (text) => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await replaceFile(path, 'old');
    await expect(replaceFile(path, text as string)).rejects.toMatchObject({ code: 'options-invalid' });
    expect(readFileSync(path, 'utf8')).toBe('old');
  },
);

it('removes what an earlier write left behind when it was interrupted, but not what may belong to a running one', async () => {
  const root = await makeTemporaryDirectory();
  const [old, recent] = ['.SKILL.md.0123456789ab.tmp', '.SKILL.md.ba9876543210.tmp'];
  await writeTree(root, { [old]: 'half', [recent]: 'half' });
  const before = (Date.now() - 2 * 3_600_000) / 1000;
  utimesSync(join(root, old), before, before);
  await replaceFile(join(root, 'SKILL.md'), 'whole');
  expect(readdirSync(root).sort()).toEqual([recent, 'SKILL.md']);
});
