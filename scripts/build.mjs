// Builds the packages, and prints only what went wrong: turbo itself prints a banner, its plan and a note on telemetry.
// Waits for a build in another process, because both would write the same files, which a third one may be loading.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const lock = 'node_modules/.build-lock';

/** Milliseconds after which a build is not waited for, because another program may have got the number of its process. */
const patience = 600_000;

while (!takeLock()) await setTimeout(50);
const { status, stdout, stderr, error } = spawnSync(
  'turbo',
  ['run', 'build', '--output-logs=errors-only', ...process.argv.slice(2)],
  { encoding: 'utf8', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }, shell: process.platform === 'win32' },
);
rmSync(lock, { force: true });
if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n`);
process.exitCode = status ?? 1;

/** Takes the lock; returns whether that succeeded. */
function takeLock() {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    // Where no lock can be written, turbo says what it cannot write.
    if (error.code !== 'EEXIST') return true;
  }
  if (!isBuilding()) rmSync(lock, { force: true });
  return false;
}

/** Checks whether the process that has the lock is still running; true also if the lock has just been released. */
function isBuilding() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > patience) return false;
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
