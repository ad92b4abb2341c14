// `skillful validate --watch`: a real process checks again after each change.

import { spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { changesOf } from '../../src/checking/watch.ts';
import { binary, makePlace, skillText, writeTree } from '../command.ts';

/** Starts a process that watches a skill with an error. */
async function startWatch(...paths: readonly string[]) {
  const { home, work } = await makePlace();
  await writeTree(work, { 's/a/SKILL.md': skillText('A') });
  const args = ['--conditions=skillful-source', binary, 'validate', ...paths, '--watch'];
  const child = spawn(process.execPath, args, { cwd: work, env: { PATH: process.env['PATH'], HOME: home } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const waitForError = (words: string) => vi.waitFor(() => expect(errors).toContain(words), { timeout: 20_000 });
  /** Waits for the summary of a check. */
  const waitFor = (last: string) =>
    vi.waitFor(() => expect(output.match(/(?<=profile: ).*(?=\.$)/gmu)?.at(-1)).toBe(last), { timeout: 20_000 });
  await waitFor('0 ok, 1 invalid');
  return { work, child, ended, waitFor, waitForError };
}

it('checks again after each change of a skill, until it is stopped', async () => {
  const { work, child, ended, waitFor } = await startWatch('s');
  await writeTree(work, { 's/a/SKILL.md': skillText('a') });
  await waitFor('1 ok, 0 invalid');
  await writeTree(work, { 's/b/SKILL.md': skillText('b') });
  await waitFor('2 ok, 0 invalid');
  await rm(join(work, 's/b'), { recursive: true });
  await waitFor('1 ok, 0 invalid');
  child.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
});

it('does not check again without a change, but if a file with another name may be meant', async () => {
  const { home, work } = await makePlace();
  await writeTree(work, { 's/a/SKILL.md': skillText('a') });
  // A file that was written in this moment has another stamp in the next one.
  await pause(100);
  const stop = new AbortController();
  const stdout = { write: () => true };
  const io = { stdout, stderr: stdout, cwd: work, environment: { HOME: home }, signal: stop.signal };
  const changes = changesOf({ paths: ['s'], profile: 'strict' }, io);
  await changes.next();
  let count = 1;
  const next = changes.next().then(() => {
    count += 1;
  });
  await pause(1600);
  expect(count).toBe(1);
  await writeTree(work, { 's/b/Skill.md': skillText('b') });
  await next;
  stop.abort();
  expect((await changes.next()).done).toBe(true);
});

it('goes on if its directory is missing for a while', async () => {
  const { work, waitFor, waitForError } = await startWatch('.', '--cwd', 's');
  await rename(join(work, 's'), join(work, 'other'));
  await waitForError('Directory `s` does not exist. Check `--cwd`.');
  await writeTree(work, { 'other/a/SKILL.md': skillText('a') });
  await rename(join(work, 'other'), join(work, 's'));
  await waitFor('1 ok, 0 invalid');
});

it('ends if no one reads its output any more, as in a pipe to head', async () => {
  const { work, child, ended } = await startWatch('s');
  child.stdout.destroy();
  await writeTree(work, { 's/a/SKILL.md': skillText('a') });
  expect(await ended).toBe(0);
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
