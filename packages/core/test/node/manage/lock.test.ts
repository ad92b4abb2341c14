import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DiskWrites, nodeDiskWrites } from '../../../src/node/disk/write.ts';
import { loadSettings, setSkillEnabled, settingsPath } from '../../../src/node/index.ts';
import { withLock } from '../../../src/node/manage/lock.ts';
import { createLockLine } from '../../../src/node/manage/lock-line.ts';
import { updateSettings } from '../../../src/node/manage/settings.ts';
import { finishProgram, startProgram } from '../process.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

/** A lock that this process holds, which is alive. */
async function makeLock() {
  const directory = await makeTemporaryDirectory();
  const lock = join(directory, 'lock');
  writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
  const placesTaken = (): number => (existsSync(`${lock}.line`) ? readdirSync(`${lock}.line`).length : 0);
  return {
    directory,
    release: () => rmSync(lock),
    order: () => readFileSync(join(directory, 'order'), 'utf8').trim().split(' '),
    /** Starts a process for each name, the next one when the one before it waits. */
    async queue(...names: readonly string[]) {
      const programs = [];
      for (const name of names) {
        const program = startProgram(new URL('./lock-program.ts', import.meta.url), directory, ...name.split(' '));
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
    const busy = startProgram(new URL('./toggle-program.ts', import.meta.url), home, 'busy', '100000');
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

describe('a lock', () => {
  const always = (): boolean => true;
  const nothing = async (): Promise<void> => {};

  /** Two who want one lock, the second while the first has it; gives what they did in its order. */
  async function contend(disturb: (lock: string) => void | Promise<void>): Promise<readonly string[]> {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    const done: string[] = [];
    const first = withLock(lock, always, async () => {
      done.push('first begins');
      await disturb(lock);
      done.push('first ends');
    });
    await setImmediate();
    await Promise.all([first, withLock(lock, always, async () => void done.push('second'))]);
    expect(readdirSync(directory)).toEqual([]);
    return done;
  }

  it('of one who is at work is not taken away because the clock was set, however far', async () => {
    for (const years of [-30, 30]) {
      const jump = async (lock: string): Promise<void> => {
        await setTimeout(30);
        const then = Date.now() / 1000 + years * 31_536_000;
        utimesSync(lock, then, then);
        await setTimeout(40);
      };
      expect(await contend(jump)).toEqual(['first begins', 'first ends', 'second']);
    }
  });

  it('is not removed by one from whom it was taken away', async () => {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    await withLock(lock, always, async () => {
      rmSync(lock);
      writeFileSync(lock, 'of another');
    });
    expect(readFileSync(lock, 'utf8')).toBe('of another');
  });

  it.each([
    ['is not removed by one who lost it before the disk refused to write a name into it', true, ['lock']],
    ['is removed where the disk refuses to write a name into it', false, []],
  ])('%s', async (_, isTakenAway, left) => {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    const { writeSync } = fs;
    fs.writeSync = () => {
      fs.writeSync = writeSync;
      syncBuiltinESMExports();
      if (isTakenAway) {
        rmSync(lock);
        writeFileSync(lock, 'of another');
      }
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    syncBuiltinESMExports();
    await expect(withLock(lock, always, nothing)).rejects.toThrow('ENOSPC');
    expect(readdirSync(directory)).toEqual(left);
    if (isTakenAway) expect(readFileSync(lock, 'utf8')).toBe('of another');
  });

  it.runIf(process.platform !== 'win32')(
    'that is a pipe or leads nowhere hangs nobody, and is removed when it is old',
    async () => {
      for (const put of [
        (path: string) => execFileSync('mkfifo', [path]),
        (path: string) => symlinkSync('nowhere', path),
      ]) {
        const options = { home: await makeTemporaryDirectory(), environment: {}, lockTimeout: 700 };
        const lock = `${settingsPath(options)}.lock`;
        mkdirSync(dirname(lock), { recursive: true });
        put(lock);
        await expect(setSkillEnabled('user:a', false, options)).rejects.toMatchObject({ code: 'settings-locked' });
        lutimesSync(lock, 0, 0);
        await setSkillEnabled('user:a', false, options);
        expect(readdirSync(dirname(lock))).toEqual(['settings.json', 'settings.json.backup']);
      }
    },
  );

  it.runIf(process.getuid?.() === 0)('that cannot be read is waited for', async () => {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    writeFileSync(lock, '', { mode: 0o600 });
    chmodSync(directory, 0o777);
    process.seteuid?.(65_534);
    onTestFinished(() => void process.seteuid?.(0));
    const end = performance.now() + 900;
    await withLock(
      lock,
      () => performance.now() < end,
      () => expect.fail('The lock was taken.'),
    );
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it.runIf(process.getuid?.() === 0)('is had in a directory whose other files nobody may list', async () => {
    const directory = await makeTemporaryDirectory();
    chmodSync(directory, 0o333);
    process.seteuid?.(65_534);
    onTestFinished(() => void process.seteuid?.(0));
    let isDone = false;
    await withLock(join(directory, 'lock'), always, async () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });

  it('is had soon where a hundred were killed together while they waited for it, and nothing is left of them', async () => {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    mkdirSync(`${lock}.line`);
    const put = (time: number, n: number): void =>
      writeFileSync(
        join(`${lock}.line`, `.since-${String(time).padStart(15, '0')}.${String(n).padStart(12, '0')}.tmp`),
        '',
      );
    for (let n = 0; n < 100; n += 1) put(Date.now() - 1000, n);
    // The clock of this one was ahead, and it was killed long ago.
    put(Date.now() + 1e9, 100);
    utimesSync(join(`${lock}.line`, readdirSync(`${lock}.line`).sort()[100] ?? ''), 0, 0);
    const start = performance.now();
    await withLock(lock, always, nothing);
    expect(performance.now() - start).toBeLessThan(1500);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('that was not waited for makes no line', async () => {
    const directory = await makeTemporaryDirectory();
    await withLock(join(directory, 'lock'), always, async () => {
      expect(readdirSync(directory)).toEqual(['lock']);
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('what one process changes at the same time', () => {
  it('is done or given up however much it is', async () => {
    const directory = await makeTemporaryDirectory();
    const path = join(directory, 'settings');
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }));
    let handled = 0;
    const change = createLockLine<number>(async (_, items) => {
      handled += items.length;
    });
    const count = 250_000;
    const ask = (timeout: number) =>
      Promise.allSettled(Array.from({ length: count }, (_, n) => change(path, n, timeout)));
    const late = ask(60_000);
    const given = (await ask(0)).filter(({ status }) => status === 'rejected');
    rmSync(`${path}.lock`);
    const done = (await late).filter(({ status }) => status === 'fulfilled');
    expect([given.length, done.length, handled]).toEqual([count, count, count]);
  });

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
