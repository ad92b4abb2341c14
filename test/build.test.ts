// Several commands at once may build: the first calls of the command line in a new clone, or tests beside a demo.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './temporary.ts';

const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));

/** Starts the script with a stand-in for turbo that fails if another one is running. */
async function prepare() {
  const directory = temporaryDirectory();
  const turbo = join(directory, 'turbo');
  await writeFile(turbo, '#!/bin/sh\nmkdir busy || exit 3\nsleep 0.2\nrmdir busy\n');
  await chmod(turbo, 0o755);
  await mkdir(join(directory, 'node_modules'));
  const env = { ...process.env, PATH: `${directory}${delimiter}${process.env['PATH']}` };
  const build = () =>
    new Promise((end) => spawn(process.execPath, [script], { cwd: directory, env, stdio: 'ignore' }).on('close', end));
  return { lock: join(directory, 'node_modules/.build-lock'), build };
}

describe.skipIf(process.platform === 'win32')('the build', () => {
  it('waits for a build in another process, because both write the same files', async () => {
    const { lock, build } = await prepare();
    expect(await Promise.all([build(), build(), build()])).toEqual([0, 0, 0]);
    expect(existsSync(lock)).toBe(false);
  });

  it('does not wait for a process that was killed', async () => {
    const { lock, build } = await prepare();
    const killed = spawn(process.execPath, ['-e', '']);
    await new Promise((end) => killed.on('close', end));
    await writeFile(lock, `${killed.pid}`);
    expect(await build()).toBe(0);
  });
});
