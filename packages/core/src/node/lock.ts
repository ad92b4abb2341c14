// One process at a time: a lock file that survives neither its holder's end nor a kill -9.

import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { SkillError } from '../error.ts';
import { errnoOf } from './file-system.ts';

/**
 * Milliseconds after which a lock counts as left behind: without content, a takeover, one older than the process that has
 * the number of its holder, and any at all. The first two last microseconds where nobody is killed, and must be over well
 * before anybody gives up waiting; the third is for clocks that differ; work under a lock takes seconds at most.
 */
const staleAfter = { empty: 500, takeover: 500, reused: 2000, any: 600_000 };

/**
 * Does work while holding the lock file at `path`. The lock of a process that is gone is taken over at once.
 *
 * @param timeout milliseconds to wait for a live holder
 * @throws {SkillError} `settings-locked`
 */
export async function withLock<T>(path: string, timeout: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  while (!tryLock(path)) {
    if (performance.now() - start >= timeout) {
      throw new SkillError(
        'settings-locked',
        'Another process holds the lock on the settings. Try again, or remove the lock file.',
      );
    }
    await setTimeout(pauseAfter(performance.now() - start));
  }
  try {
    return await work();
  } finally {
    release(path);
  }
}

/** Whoever has waited for longer looks more often, so that those who come later do not pass by for ever. */
function pauseAfter(waited: number): number {
  return Math.max(2, (3 + Math.random() * 12) * (1 - waited / 40));
}

/** What was done under the lock is done, also where the lock stays until it counts as left behind. */
function release(path: string): void {
  try {
    removeIfThere(path);
  } catch (error) {
    errnoOf(error);
  }
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

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
