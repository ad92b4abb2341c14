// One process at a time: a lock file that survives neither its holder's end nor a kill -9.

import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { removeIfThere } from './durable-write.ts';
import { errnoOf } from './file-system.ts';
import { createPlace } from './lock-place.ts';

/**
 * Milliseconds after which a lock counts as left behind: without content, a takeover, one older than the process that has
 * the number of its holder, and any at all. The first two last microseconds where nobody is killed, and must be over well
 * before anybody gives up waiting; the third is for clocks that differ; work under a lock takes seconds at most.
 */
const staleAfter = { empty: 500, takeover: 500, reused: 2000, any: 600_000 };

/** Milliseconds between two looks for each place in the line, so that the next in line looks most often, and at most. */
const pause = { place: 2, most: 20 };

/**
 * Does work while holding the lock file at `path`, after everybody who waited for it before. The lock of a process that is
 * gone is taken over at once.
 *
 * @param isWanted asked before each pause; where it says no, nothing is done
 */
export async function withLock(path: string, isWanted: () => boolean, work: () => Promise<void>): Promise<void> {
  if (!(await takeInTurn(path, isWanted))) return;
  try {
    await work();
  } finally {
    release(path);
  }
}

async function takeInTurn(path: string, isWanted: () => boolean): Promise<boolean> {
  const place = createPlace(path, () => isFree(path));
  try {
    for (;;) {
      const ahead = place.countAhead();
      if (ahead === 0 && tryLock(path)) return true;
      if (!isWanted()) return false;
      place.keep();
      await setTimeout(Math.min(pause.place * (1 + ahead), pause.most));
    }
  } finally {
    place.leave();
  }
}

/** What was done under the lock is done, also where the lock stays until it counts as left behind. */
function release(path: string): void {
  try {
    removeIfThere(path);
  } catch (error) {
    errnoOf(error);
  }
}

/** Tells whether nobody who is alive holds the lock. */
function isFree(path: string): boolean {
  return ageOf(path) === undefined || isAbandoned(path);
}

function tryLock(path: string): boolean {
  if (createExclusively(path, JSON.stringify({ pid: process.pid, host: hostname() }))) return true;
  if (isAbandoned(path)) removeAbandoned(path);
  return false;
}

/** Removes a lock under a second one: two processes that see the same abandoned lock must not remove each other's. */
function removeAbandoned(path: string): void {
  const guard = `${path}.takeover`;
  if (!createExclusively(guard, '')) {
    const age = ageOf(guard);
    if (age !== undefined && age > staleAfter.takeover) removeIfThere(guard);
    return;
  }
  try {
    if (isAbandoned(path)) removeIfThere(path);
  } finally {
    removeIfThere(guard);
  }
}

function createExclusively(path: string, content: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, content);
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    // Windows answers EPERM while a removed file is still open somewhere.
    if (errno === 'EEXIST' || (process.platform === 'win32' && errno === 'EPERM')) return false;
    throw error;
  }
}

function isAbandoned(path: string): boolean {
  const age = ageOf(path);
  if (age === undefined) return false;
  const holder = readHolder(path);
  if (holder === undefined) return age > staleAfter.empty;
  if (age > staleAfter.any) return true;
  return holder.host === hostname() && (!isAlive(holder.pid) || age > lifetimeOf(holder.pid) + staleAfter.reused);
}

/**
 * Milliseconds for which a process that is alive can have lived at most. Numbers of processes are used again, after a
 * restart of the machine, and in a container, whose program has the same one each time it is started.
 */
function lifetimeOf(pid: number): number {
  return (pid === process.pid ? process.uptime() : uptime()) * 1000;
}

/** Milliseconds since the file was written, in either direction of a clock that was set; `undefined` where it is gone. */
function ageOf(path: string): number | undefined {
  try {
    return Math.abs(Date.now() - statSync(path).mtimeMs);
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}

function readHolder(path: string): { readonly pid: number; readonly host: string } | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('host' in holder)) return undefined;
    const { pid, host } = holder;
    return Number.isSafeInteger(pid) && Number(pid) > 0 ? { pid: Number(pid), host: String(host) } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
