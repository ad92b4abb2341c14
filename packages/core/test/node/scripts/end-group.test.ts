import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endGroup } from '../../../src/node/scripts/end-group.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Starts a process that takes longer than any test. */
function startSleep(): ChildProcess {
  return spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)'], { stdio: 'ignore' });
}

/** Makes a directory that of the system, with a `taskkill` that does nothing but remember what it was given. */
async function pretendSystem(files: Readonly<Record<string, string>>): Promise<() => readonly string[]> {
  const directory = await makeTemporaryDirectory();
  await writeTree(directory, files);
  for (const path of Object.keys(files)) await chmod(join(directory, path), 0o755);
  vi.stubEnv('SystemRoot', directory);
  return () => readFileSync(join(directory, 'given'), 'utf8').trim().split('\n');
}

const taskkill = {
  'System32/taskkill.exe': '#!/bin/sh\nkill -0 "$2" && state=running\necho "$* $state" >> "$SystemRoot/given"\n',
};

describe.skipIf(process.platform === 'win32')('on Windows', () => {
  it('`taskkill` of the system ends what a process started, while that still runs', async () => {
    const given = await pretendSystem(taskkill);
    const child = startSleep();
    endGroup(child, 'win32');
    await once(child, 'exit');
    expect(given()).toEqual([`/PID ${child.pid} /T /F running`]);
  });

  it.each([
    ['is missing', {}],
    ['fails', { 'System32/taskkill.exe': '#!/bin/sh\nexit 1\n' }],
  ])('a process is ended even if `taskkill` %s', async (_, files) => {
    await pretendSystem(files);
    const child = startSleep();
    endGroup(child, 'win32');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  it('nothing is done after the end of a process, because another one may have its id', async () => {
    const given = await pretendSystem(taskkill);
    const ended = [spawn(process.execPath, ['-e', ''], { stdio: 'ignore' }), startSleep()];
    ended[1]?.kill();
    await Promise.all(ended.map((child) => once(child, 'exit')));
    const kill = vi.spyOn(process, 'kill');
    const running = startSleep();
    for (const child of [...ended, running]) endGroup(child, 'win32');
    await once(running, 'exit');
    expect([given(), kill.mock.calls]).toEqual([[`/PID ${running.pid} /T /F running`], []]);
  });
});
