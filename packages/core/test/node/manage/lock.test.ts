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
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadSettings, setSkillEnabled } from '../../../src/node/index.ts';
import { elapsed, withLock } from '../../../src/node/manage/lock.ts';
import { settingsPath, updateSettings } from '../../../src/node/manage/settings.ts';
import { isNewFile, realCalls, replaceCalls } from '../disk/replace-calls.ts';
import { finishProgram, startProgram } from '../process.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

/** More than any system numbers its processes. */
const noProcess = 2 ** 30;

/** A lock that this living process holds. */
async function makeLock() {
  const directory = await makeTemporaryDirectory();
  const lock = join(directory, 'lock');
  writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
  return {
    directory,
    release: () => rmSync(lock),
    /** The names of the processes that got the lock, in that order. */
    done: () => readFileSync(join(directory, 'done'), 'utf8').trim().split(' '),
    /** Starts a process for each name, all of which then wait for the lock. */
    async start(...names: readonly string[]) {
      const programs = names.map((name) =>
        startProgram(new URL('./lock-program.ts', import.meta.url), directory, ...name.split(' ')),
      );
      onTestFinished(() => {
        for (const program of programs) program.kill('SIGKILL');
      });
      await Promise.all(programs.map(({ stdout }) => once(stdout, 'data')));
      return programs;
    },
  };
}

describe('processes that wait for a lock', { timeout: 60_000 }, () => {
  it('all get it once, and leave nothing behind', async () => {
    const { directory, start, release, done } = await makeLock();
    const ends = (await start('a', 'b', 'c', 'd', 'e')).map(finishProgram);
    release();
    await Promise.all(ends);
    expect([done().sort(), readdirSync(directory)]).toEqual([['a', 'b', 'c', 'd', 'e'], ['done']]);
  });

  it.runIf(process.platform !== 'win32')('get it although others were killed while they waited', async () => {
    const { directory, start, release, done } = await makeLock();
    const programs = await start('a', 'b', 'c', 'd', 'e');
    const killed = [0, 1, 3].flatMap((index) => programs[index] ?? []);
    for (const program of killed) program.kill('SIGKILL');
    await Promise.all(killed.map((program) => once(program, 'exit')));
    const ends = [2, 4].flatMap((index) => programs[index] ?? []).map(finishProgram);
    release();
    await Promise.all(ends);
    expect([done().sort(), readdirSync(directory)]).toEqual([['c', 'e'], ['done']]);
  });

  it.runIf(process.platform !== 'win32')('get it although its holder was killed', async () => {
    const { directory, start, release, done } = await makeLock();
    const [holder] = await start('a hold');
    release();
    await vi.waitFor(() => expect(done()).toEqual(['a']), { timeout: 10_000, interval: 5 });
    const ends = (await start('b', 'c')).map(finishProgram);
    holder?.kill('SIGKILL');
    await Promise.all(ends);
    expect([done().sort(), readdirSync(directory)]).toEqual([['a', 'b', 'c'], ['done']]);
  });

  it.runIf(process.platform !== 'win32')('get it although one that waits is stopped, which gets it later', async () => {
    const { directory, start, release, done } = await makeLock();
    const [stopped, next] = await start('a', 'b');
    stopped?.kill('SIGSTOP');
    const ends = [stopped, next].flatMap((program) => (program === undefined ? [] : [finishProgram(program)]));
    release();
    await ends[1];
    expect(done()).toEqual(['b']);
    stopped?.kill('SIGCONT');
    await Promise.all(ends);
    expect([done(), readdirSync(directory)]).toEqual([['b', 'a'], ['done']]);
  });

  it('get it although another takes it again and again', async () => {
    const home = await makeTemporaryDirectory();
    const options = { home, environment: {}, lockTimeout: 20_000 };
    const busy = startProgram(new URL('./toggle-program.ts', import.meta.url), home, 'busy', '100000');
    onTestFinished(() => void busy.kill('SIGKILL'));
    await vi.waitFor(async () => expect((await loadSettings(options)).disabled.length).toBeGreaterThan(0), 20_000);
    const own = ['user:own-0', 'user:own-1', 'user:own-2'];
    for (const id of own) await setSkillEnabled(id, false, options);
    expect((await loadSettings(options)).disabled).toEqual(expect.arrayContaining(own));
  });
});

describe('a lock', () => {
  const forever = Number.POSITIVE_INFINITY;
  const nothing = async (): Promise<void> => {};

  /** Two calls want one lock, the second while the first has it; returns what they did, in order. */
  async function contend(disturb: (lock: string) => void | Promise<void>): Promise<readonly string[]> {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    const done: string[] = [];
    let second: Promise<void> | undefined;
    await withLock(lock, forever, async () => {
      done.push('first begins');
      second = withLock(lock, forever, async () => void done.push('second'));
      await disturb(lock);
      done.push('first ends');
    });
    await second;
    expect(readdirSync(directory)).toEqual([]);
    return done;
  }

  it('stays free for a moment before the same process takes it again', async () => {
    const lock = join(await makeTemporaryDirectory(), 'lock');
    let free = 0;
    for (let n = 0; n < 20; n += 1) {
      await withLock(lock, forever, nothing);
      const again = withLock(lock, forever, nothing);
      if (!existsSync(lock)) free += 1;
      await again;
    }
    // Not each time: this process may have been stopped in between.
    expect(free).toBeGreaterThan(0);
  });

  it('is not stolen from a working process after the clock was set, however far', async () => {
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

  it.each([
    ['although that process is not on this one', noProcess, 0],
    ['although the process with its number on this one is younger', process.pid, process.uptime() + 30],
  ])('of another machine is waited for, %s', async (_, pid, age) => {
    const lock = join(await makeTemporaryDirectory(), 'lock');
    writeFileSync(lock, JSON.stringify({ pid, host: `not-${hostname()}` }));
    const then = Date.now() / 1000 - age;
    utimesSync(lock, then, then);
    const taken = withLock(lock, elapsed() + 300, () => expect.fail('The lock was taken.'));
    await expect(taken).rejects.toMatchObject({ code: 'settings-locked' });
  });

  it.each([
    ['is young', 0, 300],
    ['was seen just now', 3600, 50],
  ])('that a process takes over is left to it, if what it does %s', async (_, age, patience) => {
    const lock = join(await makeTemporaryDirectory(), 'lock');
    writeFileSync(lock, JSON.stringify({ pid: noProcess, host: hostname() }));
    writeFileSync(`${lock}.takeover`, '');
    const then = Date.now() / 1000 - age;
    utimesSync(`${lock}.takeover`, then, then);
    const taken = withLock(lock, elapsed() + patience, () => expect.fail('The lock was taken.'));
    await expect(taken).rejects.toMatchObject({ code: 'settings-locked' });
  });

  it.each([
    ['was left behind, but is taken over first', noProcess, 'openSync', '.takeover'],
    ['is taken over before its new holder has written its name', undefined, 'writeSync', ''],
  ] as const)('that %s is left to the other process', async (_, left, call, end) => {
    const lock = join(await makeTemporaryDirectory(), 'lock');
    if (left !== undefined) writeFileSync(lock, JSON.stringify({ pid: left, host: hostname() }));
    const another = JSON.stringify({ pid: process.ppid, host: hostname() });
    const takeOver = (place: unknown, ...rest: unknown[]): unknown => {
      if (String(place).endsWith(end) && readFileSync(lock, 'utf8') !== another) {
        rmSync(lock);
        realCalls.writeFileSync(lock, another);
      }
      return Reflect.apply(realCalls[call], fs, [place, ...rest]);
    };
    replaceCalls({ [call]: takeOver });
    const taken = withLock(lock, elapsed() + 50, () => expect.fail('The lock was taken.'));
    await expect(taken).rejects.toMatchObject({ code: 'settings-locked' });
    expect(readFileSync(lock, 'utf8')).toBe(another);
  });

  it('is not removed by a process that lost it', async () => {
    const directory = await makeTemporaryDirectory();
    const lock = join(directory, 'lock');
    await withLock(lock, forever, async () => {
      rmSync(lock);
      writeFileSync(lock, 'of another');
    });
    expect(readFileSync(lock, 'utf8')).toBe('of another');
  });

  it.each([
    ['is not removed by a process that lost it before the disk refused to write a name into it', true, ['lock']],
    ['is removed if the disk refuses to write a name into it', false, []],
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
    await expect(withLock(lock, forever, nothing)).rejects.toThrow('ENOSPC');
    expect(readdirSync(directory)).toEqual(left);
    if (isTakenAway) expect(readFileSync(lock, 'utf8')).toBe('of another');
  });

  it.runIf(process.platform !== 'win32')(
    'that is a pipe or a broken link blocks no process, and is removed when it is old',
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
    const taken = withLock(lock, elapsed() + 900, () => expect.fail('The lock was taken.'));
    await expect(taken).rejects.toMatchObject({ code: 'settings-locked' });
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it.runIf(process.getuid?.() === 0)('works in a directory that cannot be listed', async () => {
    const directory = await makeTemporaryDirectory();
    chmodSync(directory, 0o333);
    process.seteuid?.(65_534);
    onTestFinished(() => void process.seteuid?.(0));
    let isDone = false;
    await withLock(join(directory, 'lock'), forever, async () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });
});

describe('what one process changes at the same time', () => {
  it('is written in the order in which it was asked for', async () => {
    const options = { home: await makeTemporaryDirectory(), environment: {} };
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const append = (n: number) => (stored: Record<string, unknown>) => {
      stored.order = [...(Array.isArray(stored.order) ? stored.order : []), n];
    };
    await Promise.all(numbers.map((n) => updateSettings(options, append(n))));
    expect(JSON.parse(readFileSync(settingsPath(options), 'utf8'))).toEqual({ order: numbers });
    expect(readdirSync(dirname(settingsPath(options)))).toEqual(['settings.json', 'settings.json.backup']);
  });

  it('fails if the disk fails, and the next change is made', async () => {
    const options = { home: await makeTemporaryDirectory(), environment: {} };
    let isFull = true;
    replaceCalls({
      openSync(path: string, flags: string | number, mode?: number) {
        if (isFull && isNewFile(path, flags)) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        return realCalls.openSync(path, flags, mode);
      },
    });
    const failed = ['user:a', 'user:b'].map((id) =>
      updateSettings(options, (stored) => Object.assign(stored, { [id]: true })).catch((error: unknown) => error),
    );
    const errors = await Promise.all(failed);
    isFull = false;
    expect(errors).toMatchObject([{ code: 'write-failed' }, { code: 'write-failed' }]);
    await setSkillEnabled('user:c', false, options);
    expect((await loadSettings(options)).disabled).toEqual(['user:c']);
  });

  it('times out together, not one timeout after the other, and is not written later', {
    timeout: 10_000,
  }, async () => {
    const options = { home: await makeTemporaryDirectory(), environment: {}, lockTimeout: 200 };
    const lock = `${settingsPath(options)}.lock`;
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
    const ids = Array.from({ length: 100 }, (_, n) => `user:${n}`);
    const given = await Promise.allSettled(ids.map((id) => setSkillEnabled(id, false, options)));
    expect(given.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
      ids.map(() => 'settings-locked'),
    );
    rmSync(lock);
    await setSkillEnabled('user:last', false, options);
    expect((await loadSettings(options)).disabled).toEqual(['user:last']);
  });

  it('is written while the lock is free, however long it waited for the changes before it', async () => {
    const options = { home: await makeTemporaryDirectory(), environment: {}, lockTimeout: 0 };
    const ids = ['user:a', 'user:b', 'user:c'];
    await Promise.all(ids.map((id) => setSkillEnabled(id, false, options)));
    expect((await loadSettings(options)).disabled).toEqual(ids);
  });
});
