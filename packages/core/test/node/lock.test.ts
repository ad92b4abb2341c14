import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DiskWrites, nodeDiskWrites } from '../../src/node/durable-write.ts';
import { loadSettings, setSkillEnabled, settingsPath } from '../../src/node/index.ts';
import { createLockLine } from '../../src/node/lock-line.ts';
import { updateSettings } from '../../src/node/settings.ts';
import { finishProgram, startProgram } from './process.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** A lock that this process holds, which is alive. */
async function makeLock() {
  const directory = await makeTemporaryDirectory();
  const lock = join(directory, 'lock');
  writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
  const placesTaken = (): number => readdirSync(directory).filter((name) => name.includes('.since-')).length;
  return {
    directory,
    release: () => rmSync(lock),
    order: () => readFileSync(join(directory, 'order'), 'utf8').trim().split(' '),
    /** Starts a process for each name, the next one when the one before it waits. */
    async queue(...names: readonly string[]) {
      const programs = [];
      for (const name of names) {
        const program = startProgram('./lock-program.ts', directory, ...name.split(' '));
        onTestFinished(() => void program.kill('SIGKILL'));
        programs.push(program);
        await vi.waitFor(() => expect(placesTaken()).toBe(programs.length), { timeout: 20_000, interval: 5 });
      }
      return programs;
    },
  };
}

describe('processes that wait for a lock', { timeout: 60_000 }, () => {
  it('get it in the order in which they came, and leave nothing behind', async () => {
    const { directory, queue, release, order } = await makeLock();
    const programs = await queue('a', 'b', 'c', 'd', 'e');
    const ends = programs.map(finishProgram);
    release();
    await Promise.all(ends);
    expect([order(), readdirSync(directory)]).toEqual([['a', 'b', 'c', 'd', 'e'], ['order']]);
  });

  it.runIf(process.platform !== 'win32')('pass by those who were killed while they waited', async () => {
    const { directory, queue, release, order } = await makeLock();
    const programs = await queue('a', 'b', 'c', 'd', 'e');
    const killed = [0, 1, 3].flatMap((index) => programs[index] ?? []);
    for (const program of killed) program.kill('SIGKILL');
    await Promise.all(killed.map((program) => once(program, 'exit')));
    const ends = [2, 4].flatMap((index) => programs[index] ?? []).map(finishProgram);
    const start = performance.now();
    release();
    await Promise.all(ends);
    expect(performance.now() - start).toBeLessThan(1000);
    expect([order(), readdirSync(directory)]).toEqual([['c', 'e'], ['order']]);
  });

  it.runIf(process.platform !== 'win32')('go on where the holder and the next in line are killed at once', async () => {
    const { directory, queue, release, order } = await makeLock();
    const [holder, next, last] = await queue('a hold', 'b', 'c');
    release();
    await vi.waitFor(() => expect(order()).toEqual(['a']), { timeout: 10_000, interval: 5 });
    next?.kill('SIGKILL');
    holder?.kill('SIGKILL');
    if (last !== undefined) await finishProgram(last);
    expect([order(), readdirSync(directory)]).toEqual([['a', 'c'], ['order']]);
  });

  it.runIf(process.platform !== 'win32')(
    'pass by one that is stopped, which has its turn when it goes on',
    async () => {
      const { directory, queue, release, order } = await makeLock();
      const [stopped, next] = await queue('a', 'b');
      stopped?.kill('SIGSTOP');
      const ends = [stopped, next].flatMap((program) => (program === undefined ? [] : [finishProgram(program)]));
      release();
      await ends[1];
      expect(order()).toEqual(['b']);
      stopped?.kill('SIGCONT');
      await Promise.all(ends);
      expect([order(), readdirSync(directory)]).toEqual([['b', 'a'], ['order']]);
    },
  );

  it('are not passed by one that wants it again and again', async () => {
    const home = await makeTemporaryDirectory();
    const options = { home, environment: {}, lockTimeout: 20_000 };
    const busy = startProgram('./toggle-program.ts', home, 'busy', '100000');
    onTestFinished(() => void busy.kill('SIGKILL'));
    if (busy.stdout !== null) await once(busy.stdout, 'data');
    await vi.waitFor(async () => expect((await loadSettings(options)).disabled.length).toBeGreaterThan(0));
    const passed: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const before = (await loadSettings(options)).disabled.length;
      await setSkillEnabled(`user:own-${n}`, false, options);
      passed.push((await loadSettings(options)).disabled.length - before - 1);
    }
    // The one that was at work, and the one that began before it could be seen that somebody waits.
    expect(passed.sort((a, b) => a - b)[10]).toBeLessThanOrEqual(2);
  });
});

describe('what one process changes at the same time', () => {
  it('is written together, and as if it had been written in order', async () => {
    const options = { home: await makeTemporaryDirectory(), environment: {} };
    const written: string[] = [];
    const disk: DiskWrites = {
      ...nodeDiskWrites,
      rename(from, to) {
        nodeDiskWrites.rename(from, to);
        if (to === settingsPath(options)) written.push(readFileSync(to, 'utf8'));
      },
    };
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    const append = (n: number) => (stored: Record<string, unknown>) => ({
      order: [...(Array.isArray(stored.order) ? stored.order : []), n],
    });
    await Promise.all(numbers.map((n) => updateSettings(options, append(n), disk)));
    expect(written.map((text) => JSON.parse(text))).toEqual([{ order: numbers }]);
  });

  it('fails together where the disk fails, and the next change is made', async () => {
    const options = { home: await makeTemporaryDirectory(), environment: {} };
    const full: DiskWrites = {
      ...nodeDiskWrites,
      write() {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    };
    const failed = ['user:a', 'user:b'].map((id) =>
      updateSettings(options, (stored) => ({ ...stored, [id]: true }), full).catch((error: unknown) => error),
    );
    expect(await Promise.all(failed)).toMatchObject([{ code: 'write-failed' }, { code: 'write-failed' }]);
    await setSkillEnabled('user:c', false, options);
    expect((await loadSettings(options)).disabled).toEqual(['user:c']);
  });

  it('is given up each in its own time, and only what was not given up is done', async () => {
    const directory = await makeTemporaryDirectory();
    const path = join(directory, 'settings');
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }));
    const handled: string[][] = [];
    const change = createLockLine<string>(async (_, items) => void handled.push([...items]));
    const start = performance.now();
    const times = new Map<string, number>();
    const ask = (item: string, timeout: number) =>
      change(path, item, timeout).then(
        () => 'done',
        (error: unknown) => {
          times.set(item, performance.now() - start);
          return error;
        },
      );
    const asked = [ask('patient', 30_000), ask('hasty', 50), ask('also patient', 30_000), ask('hasty too', 200)];
    expect(await asked[1]).toMatchObject({ code: 'settings-locked' });
    expect(await asked[3]).toMatchObject({ code: 'settings-locked' });
    expect(times.get('hasty')).toBeGreaterThanOrEqual(50);
    expect(times.get('hasty')).toBeLessThan(200);
    expect(times.get('hasty too')).toBeGreaterThanOrEqual(200);
    expect(handled).toEqual([]);
    rmSync(`${path}.lock`);
    expect(await Promise.all([asked[0], asked[2]])).toEqual(['done', 'done']);
    expect(handled).toEqual([['patient', 'also patient']]);
    expect(readdirSync(directory)).toEqual([]);
  });
});
