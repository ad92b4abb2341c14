import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileSource } from '../../../src/node/index.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

/** Reads per shape; `SKILLFUL_RACE_READS=200000` for the long run. */
const reads = Number(process.env.SKILLFUL_RACE_READS ?? 20_000);
const patience = 120_000;

/** Starts a process that swaps two paths until the test ends. */
async function startSwapping(first: string, second: string): Promise<void> {
  const script = fileURLToPath(new URL('./swap.mjs', import.meta.url));
  const swapper = spawn(process.execPath, [script, first, second], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(swapper, 'exit');
  onTestFinished(async () => {
    swapper.kill('SIGKILL');
    await exit;
  });
  await once(swapper.stdout, 'data');
}

async function makeSkill(): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'skills/pdf/SKILL.md': skillText('pdf', 'INSIDE'),
    'skills/pdf/refs/key': 'INSIDE',
    'secret/key': 'SECRET',
    'secret/SKILL.md': skillText('pdf', 'SECRET'),
  });
  return root;
}

/** Counts the results of the reads. */
async function count(read: () => string | Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let n = 0; n < reads; n += 1) {
    const outcome = await read();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Lists repeatedly. Returns each pair of a name in a head and the directory that it was found in. */
async function listPairs(source: SkillSource, root: string, times: number): Promise<Set<string>> {
  const pairs = new Set<string>();
  for (let n = 0; n < times; n += 1) {
    for (const { head, identity } of (await source.list()).entries) {
      const name = /name: (.*)/.exec(new TextDecoder().decode(head))?.[1];
      pairs.add(`${name} in ${identity?.slice(root.length)}`);
    }
  }
  return pairs;
}

/** Reads as most programs do, which shows that the swapping is fast enough to matter. */
function readCarelessly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return 'missing';
  }
}

describe.runIf(process.platform === 'linux')('while another process swaps', () => {
  it.each([
    ['A35, X15: a file for a link to a secret', 'skills/pdf/refs/key', 'skills/pdf/refs/evil', '../../../secret/key'],
    ['A36: a directory for a link to a secret one', 'skills/pdf/refs', 'skills/pdf/evil', '../../secret'],
    ['the skill for a link to a secret directory', 'skills/pdf', 'skills/.evil', '../secret'],
  ])('%s, no read leaves the skill', { timeout: patience }, async (_, first, second, target) => {
    const root = await makeSkill();
    await writeTree(root, { [second]: { link: target } });
    const source = fileSource(join(root, 'skills'));
    const [skill] = (await source.list()).entries;
    if (skill === undefined) throw new Error('The skill was not found.');
    const path = first === 'skills/pdf' ? 'SKILL.md' : 'refs/key';
    await startSwapping(join(root, first), join(root, second));

    const careless = await count(() => readCarelessly(join(root, 'skills/pdf', path)).replace(/^---[\s\S]*\n/, ''));
    expect(careless).toMatchObject({ INSIDE: expect.any(Number), SECRET: expect.any(Number) });

    const careful = await count(async () => {
      try {
        return new TextDecoder().decode(await source.readFile(skill, path)).replace(/^---[\s\S]*\n/, '');
      } catch (error) {
        if (isSkillError(error)) return 'refused';
        throw error;
      }
    });
    expect(careful).toEqual({ INSIDE: expect.any(Number), refused: expect.any(Number) });
  });

  it('a skill for a link, discovery never returns the head of another directory', {
    timeout: patience,
  }, async () => {
    const root = await makeSkill();
    await writeTree(root, { 'secret/SKILL.md': skillText('secret'), 'skills/.evil': { link: '../secret' } });
    const source = fileSource(join(root, 'skills'));
    await startSwapping(join(root, 'skills/pdf'), join(root, 'skills/.evil'));
    const seen = await listPairs(source, root, reads / 10);
    // The link is a legitimate way to a skill; what matters is that the head and the identity belong together.
    expect(seen).toContain('pdf in /skills/pdf');
    expect([...seen].filter((pair) => !['pdf in /skills/pdf', 'secret in /secret'].includes(pair))).toEqual([]);
  });
});
