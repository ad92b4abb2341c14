// Reads while another process swaps files and directories never leave the skill that was found.

import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { clientPreset, fileSource } from '../../../src/node/index.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { startSwapping } from '../swapping.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

/** Reads per shape; `SKILLFUL_RACE_READS=200000` for the long run. */
const reads = Number(process.env.SKILLFUL_RACE_READS ?? 5000);
const patience = 60_000 + reads * 10;

async function makeSkill(): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'skills/pdf/SKILL.md': skillText('pdf', 'INSIDE'),
    'skills/pdf/refs/key': 'INSIDE',
    'secret/key': 'SECRET',
    'secret/SKILL.md': skillText('pdf', 'SECRET'),
    'secret/refs/key': 'SECRET',
    'secret/pdf/SKILL.md': skillText('pdf', 'SECRET'),
    'secret/pdf/refs/key': 'SECRET',
  });
  return root;
}

/** Counts the results of the reads. */
async function count(read: () => string | Promise<string>, times = reads): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let n = 0; n < times; n += 1) {
    const outcome = await read();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Reads as most programs do, which shows that the swapping is fast enough to matter. */
function readCarelessly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return 'missing';
  }
}

/** A file system whose kernel does not say which file was opened. */
const silent: FileSystem = {
  ...nodeFileSystem,
  readlink(path) {
    throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' });
  },
};

/** What is swapped, for what, and which file is read meanwhile. */
const shapes = [
  ['A35, X15: a resource for a link', 'skills/pdf/refs/key', 'skills/pdf/refs/evil', '../../../secret/key', 'refs/key'],
  ['A36: a directory of resources for a link', 'skills/pdf/refs', 'skills/pdf/evil', '../../secret', 'refs/key'],
  ['SKILL.md for a link', 'skills/pdf/SKILL.md', 'skills/pdf/evil', '../../secret/SKILL.md', 'SKILL.md'],
  ['SKILL.md for a hard link', 'skills/pdf/SKILL.md', 'skills/pdf/evil', undefined, 'SKILL.md'],
  ['the skill for a link', 'skills/pdf', 'skills/.evil', '../secret', 'SKILL.md'],
  ['the directory above for a link', 'skills', '.evil', 'secret', 'refs/key'],
  ['the skill for another directory', 'skills/pdf', 'secret', '', 'refs/key'],
] as const;

describe.runIf(process.platform === 'linux')('while another process swaps', { timeout: patience }, () => {
  describe.each([
    ['kernel', nodeFileSystem],
    ['best-effort', silent],
  ] as const)('and containment is %s', (_, files) => {
    it.each(shapes)('%s, no read leaves the skill', async (_title, first, second, target, path) => {
      const root = await makeSkill();
      // A hard link is a file of the skill for everyone but `strict`, which refuses it.
      const isHard = target === undefined;
      if (isHard) linkSync(join(root, 'secret/SKILL.md'), join(root, second));
      else if (target !== '') await writeTree(root, { [second]: { link: target } });
      const source = createFileSource(files, join(root, 'skills'), {});
      const [found] = (await source.list()).entries;
      if (found === undefined) throw new Error('The skill was not found.');
      const skill = isHard ? { ...found, profile: 'strict' as const } : found;
      const strip = (text: string): string => text.replace(/^---[\s\S]*\n/, '');
      await startSwapping(join(root, first), join(root, second));

      const readAll = () => count(() => strip(readCarelessly(join(root, 'skills/pdf', path))), Math.min(reads, 5000));
      // On a busy machine, the other process may sleep for a while.
      const careless = expect.poll(readAll, { timeout: patience / 2 });
      await careless.toMatchObject({ INSIDE: expect.any(Number), SECRET: expect.any(Number) });

      const readCarefully = async (): Promise<string> => {
        try {
          return strip(new TextDecoder().decode(await source.readFile(skill, path)));
        } catch (error) {
          if (isSkillError(error)) return 'refused';
          throw error;
        }
      };
      // Without the kernel's word, every read may be refused as long as the disk never rests; with it, some succeed.
      const careful: Record<string, number> = files === silent ? { INSIDE: 0 } : {};
      const readAllCarefully = async () => {
        for (const [outcome, times] of Object.entries(await count(readCarefully)))
          careful[outcome] = (careful[outcome] ?? 0) + times;
        return careful;
      };
      const both = { INSIDE: expect.any(Number), refused: expect.any(Number) };
      await expect.poll(readAllCarefully, { timeout: patience / 2 }).toMatchObject(both);
      if (process.env.SKILLFUL_RACE_READS !== undefined)
        process.stdout.write(`${_title}: ${JSON.stringify(careful)}\n`);
      expect(careful).toEqual(both);
    });
  });

  it('a skill for a link, discovery never returns the head of another directory', async () => {
    const root = await makeSkill();
    await writeTree(root, { 'secret/SKILL.md': skillText('secret'), 'skills/.evil': { link: '../secret' } });
    const source = fileSource(join(root, 'skills'), { depth: 1 });
    await startSwapping(join(root, 'skills/pdf'), join(root, 'skills/.evil'));
    const seen = await listPairs(source, root, reads / 10);
    // The link is a legitimate way to a skill; what matters is that the head and the identity belong together.
    expect(seen).toContain('pdf in /skills/pdf');
    expect([...seen].filter((pair) => !['pdf in /skills/pdf', 'secret in /secret'].includes(pair))).toEqual([]);
  });

  it('a configured path for a link out of the project, nothing outside is found', async () => {
    const root = await makeSkill();
    await writeTree(root, {
      'project/.git/HEAD': '',
      'project/tools/own/SKILL.md': skillText('own'),
      'project/evil': { link: '../secret' },
      'secret/more': { link: 'pdf' },
    });
    const cwd = join(root, 'project');
    const preset = { cwd, home: root, environment: {}, trusted: true, paths: ['tools'] };
    const [source] = await clientPreset('agents', preset);
    if (source === undefined) throw new Error('There is no source.');
    await startSwapping(join(cwd, 'tools'), join(cwd, 'evil'));
    const seen = await listPairs(source, root, reads / 10);
    expect([...seen]).toEqual(['own in /project/tools/own']);
  });
});

/**
 * Lists repeatedly, and until anything is found: the other process may sleep while the skill is away. Returns each pair of a
 * name in a head and the directory that it was found in.
 */
async function listPairs(source: SkillSource, root: string, times: number): Promise<Set<string>> {
  const pairs = new Set<string>();
  for (let n = 0; n < times || (pairs.size === 0 && n < 20 * times); n += 1) {
    for (const { head, identity } of (await source.list()).entries) {
      const name = /name: (.*)/.exec(new TextDecoder().decode(head))?.[1];
      pairs.add(`${name} in ${identity?.slice(root.length)}`);
    }
  }
  return pairs;
}
