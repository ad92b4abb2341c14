// No text within its limits takes more than 20 times its size in memory: a process that has no more works on each construct.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Construct, constructs } from './constructs.ts';

const mebibyte = 1024 * 1024;

/** Times the size of a text. */
const factor = 20;

/** What the program itself needs of its heap to work, in bytes. */
const slack = 4 * mebibyte;

/** How much more than the heap the system hands out, and takes back late; seen up to 6 MiB. */
const pieces = 16 * mebibyte;

const program = fileURLToPath(new URL('memory-program.ts', import.meta.url));

/** Runs the program. What it printed last is its result, or, if it ran out of memory, the construct that took it. */
function run(group: string, flags: readonly string[]) {
  const given = ['--conditions=skillful-source', '--expose-gc', ...flags, program, group];
  const { stdout } = spawnSync(process.execPath, given, { encoding: 'utf8' });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? (JSON.parse(last) as { heapUsed: number; grown: number }) : { tooMuch: last };
}

const sizeOf = (group: readonly Construct[]): number => Math.max(...group.map(({ bytes }) => bytes));

// The system may take memory back late, so what exceeds the limit has to exceed it three times.
describe('20 times its size in memory is enough for', { timeout: 300_000, retry: 2 }, () => {
  const base = run('', []);
  it.each(Object.entries(constructs))('%s', (name, group) => {
    if ('tooMuch' in base) throw new Error('The program does not start.');
    const room = factor * sizeOf(group) + slack;
    const heap = Math.ceil((base.heapUsed + room) / mebibyte);
    const result = run(name, [`--max-old-space-size=${heap}`, '--max-semi-space-size=1']);
    // The heap is not all of it.
    const isEnough = 'grown' in result && result.grown <= room + pieces;
    expect({ isEnough, ...(isEnough ? {} : { room, result }) }).toEqual({ isEnough: true });
  });
});
