// Runs programs of other projects that a benchmark has installed, and reads their versions.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the version of a package that is installed in the directory of a benchmark. */
export function installedVersion(directory: string, name: string): string {
  return JSON.parse(readFileSync(join(directory, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** Runs a program below the `node_modules` of a benchmark, and returns all that it prints. */
export function runPeer(
  directory: string,
  program: string,
  args: readonly string[],
): { readonly status: number | null; readonly output: string } {
  const own = { INSTALL_INTERNAL_SKILLS: '1', DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' };
  // Into a file, because some of them end before a pipe has taken everything.
  const path = join(tmpdir(), `skillful-peer-${process.pid}.txt`);
  const file = openSync(path, 'w+');
  try {
    const command = [join(directory, 'node_modules', program), ...args];
    const env = { ...process.env, ...own };
    const { status } = spawnSync(process.execPath, command, { env, stdio: ['ignore', file, file] });
    return { status, output: readFileSync(path, 'utf8') };
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

/** Returns the paths of the files below a directory that the installer `skills` skips. */
export function filesSkippedBySkills(directory: string, base: string): ReadonlySet<string> {
  const { status, output } = runPeer(directory, 'skills/bin/cli.mjs', ['add', base, '--list', '--full-depth']);
  const skipped = new Set([...output.matchAll(/Skipped (\S.*?SKILL\.md) — /g)].map(([, path = '']) => path));
  if (status !== 0 || skipped.size === 0) throw new Error(`skills ended with ${status}: ${output.slice(-500)}`);
  return skipped;
}
