// Builds the packages, and prints only what went wrong: turbo itself prints a banner, its plan and a note on telemetry.

import { spawnSync } from 'node:child_process';

const { status, stdout, stderr, error } = spawnSync(
  'turbo',
  ['run', 'build', '--output-logs=errors-only', ...process.argv.slice(2)],
  { encoding: 'utf8', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }, shell: process.platform === 'win32' },
);
if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n`);
process.exitCode = status ?? 1;
