// What is written while another process swaps files and directories for links never lands outside.

import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../../src/node/disk/write.ts';
import { writeSkill } from '../../../src/node/index.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import { startSwapping } from '../swapping.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';
import { isNewFile, muteKernel, realCalls, replaceCalls } from './replace-calls.ts';

/** Writes per shape; `SKILLFUL_RACE_WRITES=20000` for the long run. */
const writes = Number(process.env.SKILLFUL_RACE_WRITES ?? 300);

async function makeTree(): Promise<{ readonly top: string; readonly tree: string; readonly outside: () => unknown }> {
  const top = await makeTemporaryDirectory();
  await writeTree(top, {
    'tree/group/pdf/SKILL.md': 'old',
    'home/profile': 'old',
    'home/pdf/SKILL.md': 'old',
    'home/SKILL.md': 'old',
  });
  const home = join(top, 'home');
  const outside = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(
        ({ parentPath, name }) =>
          `${join(parentPath, name).slice(home.length + 1)} ${readFileSync(join(parentPath, name), 'utf8')}`,
      )
      .sort();
  return { top, tree: join(top, 'tree'), outside };
}

const untouched = ['SKILL.md old', 'pdf/SKILL.md old', 'profile old'];

/**
 * Counts which writes were made, and which were refused or failed. Goes on until both happened, because the other process may
 * sleep; or until the first was made, if there need not be a refusal.
 */
async function count(
  write: (n: number) => Promise<unknown>,
  isRefused = true,
): Promise<{ made: number; refused: number }> {
  const counts = { made: 0, refused: 0 };
  const isEnough = (): boolean => counts.made > 0 && (!isRefused || counts.refused > 0);
  for (let n = 0; n < writes || (n < 20 * writes && !isEnough()); n += 1) {
    try {
      await write(n);
      counts.made += 1;
    } catch (error) {
      if (!isSkillError(error)) throw error;
      counts.refused += 1;
    }
  }
  return counts;
}

const shapes = [
  ['the file for a link to a file', 'group/pdf/SKILL.md', 'group/pdf/evil', '../../../home/profile'],
  ['its directory for a link', 'group/pdf', 'group/evil', '../../home/pdf'],
  ['a directory above it for a link', 'group', 'evil', '../home'],
  ['the whole tree for a link', '../tree', '../evil', 'home'],
] as const;

describe.runIf(process.platform === 'linux')('while another process swaps', { timeout: 120_000 }, () => {
  it.each(shapes)('%s, replaceFile writes nothing outside', async (_, first, second, target) => {
    const { tree, outside } = await makeTree();
    await writeTree(tree, { [second]: { link: target } });
    const path = join(tree, 'group/pdf/SKILL.md');
    const before = statSync(path).mode & 0o777;
    await startSwapping(join(tree, first), join(tree, second));
    const modes = new Set<number>();
    // Writing a file may remove the link for good, after which nothing is refused any more.
    const isRefused = first !== 'group/pdf/SKILL.md';
    const counts = await count(async (n) => {
      await replaceFile(path, `${n}`, { inPlace: true, within: tree });
      const written = lstatSync(path, { throwIfNoEntry: false });
      if (written?.isFile() === true) modes.add(written.mode & 0o7777);
    }, isRefused);
    expect(counts).toEqual({ made: expect.any(Number), refused: expect.any(Number) });
    // A link has all permissions, which no file may get from it. The other process may hide every single file from this one.
    expect([...modes.add(before)]).toEqual([before]);
    expect(counts.made).toBeGreaterThan(0);
    if (isRefused) expect(counts.refused).toBeGreaterThan(0);
    expect(outside()).toEqual(untouched);
  });

  it.each(shapes.slice(1))('%s, writeSkill creates nothing outside', async (_, first, second, target) => {
    const { tree, outside } = await makeTree();
    await writeTree(tree, { [second]: { link: target } });
    await startSwapping(join(tree, first), join(tree, second));
    const root = join(tree, 'group/pdf');
    const counts = await count((n) => writeSkill(root, { name: `s${n}`, description: 'D.' }, { within: tree }));
    expect(counts.made).toBeGreaterThan(0);
    expect(outside()).toEqual(untouched);
  });
});

it.each(['within', 'missing/deeper'])(
  'creates what is missing, but through no link, even a broken one: %s',
  async (path) => {
    const { top, tree, outside } = await makeTree();
    mkdirSync(join(tree, 'links'));
    for (const [name, target] of Object.entries({ out: '../../home', gone: '../../nowhere', chain: 'gone' })) {
      await writeTree(tree, { [`links/${name}`]: { link: target } });
      const refused = {
        code: 'skill-protected',
        message: expect.stringContaining('through a link, so nothing was written'),
      };
      const root = join(tree, 'links', name, path);
      await expect(writeSkill(root, { name: 'x', description: 'D.' }, { within: tree })).rejects.toMatchObject(refused);
      await expect(replaceFile(join(root, 'README.md'), 'x', { within: tree })).rejects.toMatchObject(refused);
    }
    expect([readdirSync(top).sort(), outside()]).toEqual([['home', 'tree'], untouched]);
    const { location } = await writeSkill(join(tree, 'new', path), { name: 'x', description: 'D.' }, { within: tree });
    expect(readFileSync(location, 'utf8')).toContain('name: x');
  },
);

describe.skipIf(process.platform === 'win32')('if the kernel cannot be asked', () => {
  /** Swaps a directory for a link to `home` just before the first call with such a path. */
  async function swapBefore(call: 'openSync' | 'mkdirSync', isMeant: (path: string, flags: unknown) => boolean) {
    const { tree, outside } = await makeTree();
    let swapped = false;
    replaceCalls({
      ...muteKernel,
      [call](path: string, ...others: readonly never[]) {
        if (!swapped && isMeant(path, others[0])) {
          swapped = true;
          renameSync(join(tree, 'group'), join(tree, 'aside'));
          symlinkSync('../home', join(tree, 'group'));
        }
        return (realCalls[call] as (...input: readonly unknown[]) => unknown)(path, ...others);
      },
    });
    return { tree, outside };
  }

  const refused = { code: 'skill-protected' };

  it('a new file is not written through a link that appears while it is written', async () => {
    const { tree, outside } = await swapBefore('openSync', isNewFile);
    const write = replaceFile(join(tree, 'group/pdf/SKILL.md'), 'new', { inPlace: true, within: tree });
    await expect(write).rejects.toMatchObject(refused);
    expect(outside()).toEqual(untouched);
  });

  it('a new skill is not written through a link that appears while it is written', async () => {
    const { tree, outside } = await swapBefore('mkdirSync', (path) => path.endsWith('.tmp'));
    const write = writeSkill(join(tree, 'group/pdf'), { name: 'x', description: 'D.' }, { within: tree });
    await expect(write).rejects.toMatchObject(refused);
    expect(outside()).toEqual(untouched);
  });

  it('a missing directory is not created through a link that appears before its parent is opened', async () => {
    const { tree } = await swapBefore('openSync', (path) => path.endsWith('/group/pdf'));
    await expect(replaceFile(join(tree, 'group/pdf/new/x'), 'x', { within: tree })).rejects.toMatchObject(refused);
    expect(readdirSync(join(tree, '../home/pdf'))).toEqual(['SKILL.md']);
  });
});

it.runIf(process.platform === 'linux')('leaves no descriptor open, whether it writes or not', async () => {
  const { tree } = await makeTree();
  await writeTree(tree, { out: { link: '../home' } });
  const path = join(tree, 'group/pdf/SKILL.md');
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  for (const n of [1, 2, 3, 4, 5]) {
    await writeSkill(join(tree, 'new/skills'), { name: `s${n}`, description: 'D.' }, { within: tree });
    await replaceFile(path, `${n}`, { inPlace: true, within: tree });
    await expect(replaceFile(path, 'x', { inPlace: true, within: tree, expected: 'y' })).rejects.toThrow();
    await expect(replaceFile(join(tree, 'out/x'), 'x', { within: tree })).rejects.toThrow();
  }
  expect(open()).toBe(before);
});

it.skipIf(process.platform === 'win32')(
  'keeps the permissions of a file, but not the right to run as its owner',
  async () => {
    const { tree } = await makeTree();
    const path = join(tree, 'group/pdf/SKILL.md');
    chmodSync(path, 0o6754);
    await replaceFile(path, 'new', { inPlace: true, within: tree });
    expect([statSync(path).mode & 0o7777, readFileSync(path, 'utf8')]).toEqual([0o754, 'new']);
  },
);

it.skipIf(process.platform === 'win32')(
  'sets permissions of the file that it wrote, not of one that took its name',
  async () => {
    const { top, tree } = await makeTree();
    const directory = join(tree, 'group/pdf');
    const profile = join(top, 'home/profile');
    chmodSync(join(directory, 'SKILL.md'), 0o666);
    chmodSync(profile, 0o600);
    replaceCalls({
      writeSync(descriptor: number, bytes: Uint8Array) {
        const [temporary = ''] = readdirSync(directory).filter((name) => name.endsWith('.tmp'));
        renameSync(join(directory, temporary), join(directory, 'aside'));
        symlinkSync(profile, join(directory, temporary));
        return realCalls.writeSync(descriptor, bytes);
      },
    });
    await replaceFile(join(directory, 'SKILL.md'), 'new', { inPlace: true, within: tree });
    const modes = [profile, join(directory, 'aside')].map((path) => statSync(path).mode & 0o7777);
    expect(modes).toEqual([0o600, 0o666]);
  },
);

it('replaces only the text that was expected', async () => {
  const { tree } = await makeTree();
  const path = join(tree, 'group/pdf/SKILL.md');
  const write = (expected: string) => replaceFile(path, 'new', { inPlace: true, within: tree, expected });
  for (const other of ['ol', 'old!', 'xyz', '']) {
    await expect(write(other)).rejects.toMatchObject({ code: 'skill-protected' });
  }
  expect(readFileSync(path, 'utf8')).toBe('old');
  await write('old');
  expect(readFileSync(path, 'utf8')).toBe('new');
});
