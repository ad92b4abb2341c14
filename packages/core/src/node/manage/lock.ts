// Lets one process at a time change a file, with a lock file that is soon removed if its holder crashes.

import { closeSync, fstatSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
// Not the global one, because tests with a fake clock replace it.
import { setTimeout } from 'node:timers/promises';
import { parseJson, recordOf } from '../../runtime/record.ts';
import { SkillError } from '../../skill/error.ts';
import { attempt, errnoOf, inodeOf, nodeFileSystem } from '../disk/file-system.ts';
import { readSmallText } from '../disk/read.ts';

/** Milliseconds between two attempts to take the lock, also after this process released it, so that others get a chance. */
const pause = 3;

/** When this process last released a lock. */
let releasedAt = Number.NEGATIVE_INFINITY;

/** Milliseconds after which a lock counts as left behind by a crash, by kind of lock. */
const staleAfter = {
  /** Names no holder. A process writes its name at once; the second lock for a takeover has no name, but is held only briefly. */
  empty: 500,
  /**
   * Names the number of a process that started this much after the lock was taken, so it is another process. The time allows for
   * clocks that differ a little.
   */
  reused: 2000,
  /** Any other lock. Work under a lock takes seconds at most. */
  any: 600_000,
};

/**
 * Milliseconds for which a lock must have been seen unchanged before its age counts. Every lock looks old after the clock was
 * changed or the machine slept, but most holders release theirs within this time.
 */
const watchedFor = 100;

/** Bytes of a lock file to read; it contains only a few words. */
const maxLockBytes = 4096;

// Taken before a test with a fake clock replaces it.
const { bigint: now } = process.hrtime;

/** Returns milliseconds of a clock that cannot be changed. Not `performance`, for which Node loads ten modules at first use. */
export function elapsed(): number {
  return Number(now()) / 1e6;
}

/**
 * Runs work while holding the lock file at `path`. Takes over the lock of a process that is gone. Waiting processes get the lock
 * in no particular order.
 *
 * @param until when to stop waiting, in the time of `elapsed`; a free lock is taken even later
 * @throws {SkillError} `settings-locked`
 */
export async function withLock(path: string, until: number, work: () => Promise<void>): Promise<void> {
  const descriptor = await waitForLock(path, until);
  try {
    await work();
  } finally {
    attempt(() => release(path, descriptor));
    releasedAt = elapsed();
  }
}

async function waitForLock(path: string, until: number): Promise<number> {
  const lock: WatchedLock = { path, state: '', since: 0 };
  const takeover: WatchedLock = { path: `${path}.takeover`, state: '', since: 0 };
  if (elapsed() - releasedAt < pause) await setTimeout(pause);
  for (;;) {
    const descriptor = take(path);
    if (descriptor !== undefined) return descriptor;
    if (isAbandoned(lock)) removeAbandoned(lock, takeover);
    if (elapsed() >= until) {
      throw new SkillError(
        'settings-locked',
        'Another process is changing the settings. Try again; if no other process is running, delete the `.lock` file beside the settings.',
      );
    }
    await setTimeout(pause);
  }
}

/** Removes the lock, unless another process has taken it over. */
function release(path: string, descriptor: number): void {
  let isOwn = false;
  try {
    isOwn = isAt(path, descriptor);
  } finally {
    // Closed before it is removed, because on Windows an open file keeps its name.
    closeSync(descriptor);
  }
  if (isOwn) rmSync(path, { force: true });
}

/** Checks whether an open file is the file at a path. While it is open, no other file can have its inode. */
function isAt(path: string, descriptor: number): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return false;
  return inodeOf(nodeFileSystem, fstatSync(descriptor), descriptor) === inodeOf(nodeFileSystem, there, path);
}

/** Tries to take the lock. Returns a descriptor, or `undefined` if another process has it. */
function take(path: string): number | undefined {
  const descriptor = createExclusively(path, JSON.stringify({ pid: process.pid, host: hostname() }));
  if (descriptor === undefined || isAt(path, descriptor)) return descriptor;
  // This process was stopped before it wrote its name, so another one took over the lock.
  closeSync(descriptor);
  return undefined;
}

/** Removes an abandoned lock under a second lock. Otherwise, two processes that see it could remove each other's new lock. */
function removeAbandoned(lock: WatchedLock, takeover: WatchedLock): void {
  const descriptor = createExclusively(takeover.path, '');
  if (descriptor === undefined) {
    if (isAbandoned(takeover)) rmSync(takeover.path, { force: true });
    return;
  }
  try {
    if (isAbandoned(lock)) rmSync(lock.path, { force: true });
  } finally {
    release(takeover.path, descriptor);
  }
}

/** Creates a file and returns its descriptor; `undefined` if the file exists. */
function createExclusively(path: string, content: string): number | undefined {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, content);
      return descriptor;
    } catch (error) {
      // This may fail, too, but the first error is more useful.
      attempt(() => release(path, descriptor));
      throw error;
    }
  } catch (error) {
    const errno = errnoOf(error);
    // Windows reports EPERM while a removed file is still open somewhere.
    if (errno === 'EEXIST' || (process.platform === 'win32' && errno === 'EPERM')) return undefined;
    throw error;
  }
}

/** A lock of another process, as it was last seen. */
interface WatchedLock {
  readonly path: string;
  state: string;
  /** Since when it has been in this state, in the time of `elapsed`. */
  since: number;
}

/** Looks at a lock, and checks whether a process that is gone left it behind. */
function isAbandoned(lock: WatchedLock): boolean {
  const status = lstatSync(lock.path, { throwIfNoEntry: false });
  if (status === undefined) return false;
  const { ino, size, mtimeMs } = status;
  const state = [ino, size, mtimeMs].join(':');
  if (state !== lock.state) {
    lock.state = state;
    lock.since = elapsed();
  }
  const holder = readHolder(lock.path);
  const isHere = typeof holder === 'object' && holder.host === hostname();
  if (isHere && !isAlive(holder.pid)) return true;
  if (elapsed() - lock.since < watchedFor) return false;
  const age = Math.abs(Date.now() - mtimeMs);
  if (holder === 'none') return age > staleAfter.empty;
  return age > staleAfter.any || (isHere && age > maxLifetime(holder.pid) + staleAfter.reused);
}

/** Reads who holds a lock: `none` if the lock names no process, `unknown` if it cannot be read. */
function readHolder(path: string) {
  try {
    const read = readSmallText(path, maxLockBytes);
    if (read === undefined || 'problem' in read) return 'unknown';
    const { pid, host } = recordOf(parseJson(read.text));
    const isNamed = Number.isSafeInteger(pid) && Number(pid) > 0 && host !== undefined;
    return isNamed ? { pid: Number(pid), host: String(host) } : 'none';
  } catch (error) {
    errnoOf(error);
    return 'unknown';
  }
}

/** Checks whether a process on this machine is alive, whichever user owns it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

/**
 * Returns the most milliseconds that a living process can have existed. Process numbers are reused, for example after a restart
 * of the machine, or in a container, where the program gets the same number each time.
 */
function maxLifetime(pid: number): number {
  return (pid === process.pid ? process.uptime() : uptime()) * 1000;
}
