// `skillful validate --watch`: a real process checks again after each change.

import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { binary, makePlace, skillText, writeTree } from '../command.ts';

it('checks again after each change of a skill, until it is stopped', async () => {
  const { home, work } = await makePlace();
  await writeTree(work, { 's/a/SKILL.md': skillText('A') });
  const args = ['--conditions=skillful-source', '--disable-warning=ExperimentalWarning', binary];
  const child = spawn(process.execPath, [...args, 'validate', 's', '--watch'], {
    cwd: work,
    env: { PATH: process.env['PATH'], HOME: home },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const summaries = () => output.match(/^\d skills? checked.*$/gmu) ?? [];
  const waitFor = (line: string) => vi.waitFor(() => expect(summaries().at(-1)).toBe(line), { timeout: 20_000 });
  await waitFor('1 skill checked with the strict profile: 0 ok, 1 invalid.');
  await writeTree(work, { 's/a/SKILL.md': skillText('a') });
  await waitFor('1 skill checked with the strict profile: 1 ok, 0 invalid.');
  await writeTree(work, { 's/b/SKILL.md': skillText('b') });
  await waitFor('2 skills checked with the strict profile: 2 ok, 0 invalid.');
  await rm(join(work, 's/b'), { recursive: true });
  await waitFor('1 skill checked with the strict profile: 1 ok, 0 invalid.');
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
});

it.each([['--json'], ['--format', 'sarif'], ['--fix', '--dry-run'], ['-']])(
  'does not watch with %j: exit code 2',
  async (...args) => {
    const { skillful } = await makePlace();
    const { code, stderr } = await skillful('validate', '--watch', ...args);
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      "error: option '--watch' prints text about files, so it takes no other format, no '--dry-run' and no '-'",
    ]);
  },
);

it('ends if a path cannot be read at the beginning', async () => {
  const { skillful } = await makePlace();
  expect((await skillful('validate', 'nowhere', '--watch')).code).toBe(2);
});
