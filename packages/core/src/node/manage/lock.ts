// One process at a time: a lock file that survives neither its holder's end nor a kill -9.

import { closeSync, fstatSync, lstatSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { attempt, errnoOf, inodeOf, nodeFileSystem } from '../disk/file-system.ts';
import { removeIfThere } from '../disk/write.ts';
import { holderOf, isAlive, lifetimeOf } from './lock-holder.ts';
import { createPlace } from './lock-place.ts';

/**
 * Milliseconds after which a lock counts as left behind: without content, a takeover, one older than the process that has
 * the number of its holder, and any at all. The first two last microseconds where nobody is killed, and must be over well
 * before anybody gives up waiting; the third is for clocks that differ; work under a lock takes seconds at most.
 */
const staleAfter = { empty: 500, takeover: 500, reused: 2000, any: 600_000 };

/**
 * Milliseconds for which whoever takes a lock for left behind by its age must have seen it stand still, too. A clock that is
 * set and a machine that slept make each lock old, and by then most holders have given theirs back.
 */
const watchedFor = 100;

/** Milliseconds between two looks for each place in the line, so that the next in line looks most often, and at most. */
const pause = { place: 2, most: 20 };

/**
 * Does work while holding the lock file at `path`, after everybody who waited for it before. The lock of a process that is
 * gone is taken over at once.
 *
 * @param isWanted asked before each pause; where it says no, nothing is done
 */
export async function withLock(path: string, isWanted: () => boolean, work: () => Promise<void>): Promise<void> {
  const descriptor = await takeInTurn(path, isWanted);
  if (descriptor === undefined) return;
  try {
    await work();
  } finally {
    attempt(() => release(path, descriptor));
  }
}

/** Gives the descriptor of the lock; `undefined` where it is no longer wanted. */
async function takeInTurn(path: string, isWanted: () => boolean): Promise<number | undefined> {
  const lock = watchLock(path);
  const place = createPlace(path, lock.isFree);
  try {
    for (;;) {
      const ahead = place.countAhead();
      const descriptor = ahead === 0 ? lock.take() : undefined;
      if (descriptor !== undefined) return descriptor;
      if (!isWanted()) return undefined;
      place.keep();
      await setTimeout(Math.min(pause.place * (1 + ahead), pause.most));
    }
  } finally {
    place.leave();
  }
}

/**
 * Gives the lock back, unless somebody took it for left behind meanwhile. What was done under it is done, also where it stays
 * until it counts as left behind.
 */
function release(path: string, descriptor: number): void {
  let isOwn = false;
  try {
    isOwn = isAt(path, descriptor);
  } finally {
    // Closed before it is removed, because on Windows a file that is open keeps its name.
    closeSync(descriptor);
  }
  if (isOwn) removeIfThere(path);
}

/** Tells whether an open file is the one at a path; while it is open, no other can have its number. */
function isAt(path: string, descriptor: number): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return false;
  const own = inodeOf(fstatSync(descriptor), () => nodeFileSystem.fstatExactly(descriptor));
  return own === inodeOf(there, () => nodeFileSystem.lstatExactly(path));
}

/** The lock as one who waits for it sees it. */
interface WatchedLock {
  /** Tells whether nobody who is alive holds the lock. */
  readonly isFree: () => boolean;
  /** Takes the lock and gives its descriptor, or takes it away from one who is gone, so that the next attempt can succeed. */
  readonly take: () => number | undefined;
}

function watchLock(path: string): WatchedLock {
  const guard = `${path}.takeover`;
  const lookAtLock = createLook(path);
  const lookAtGuard = createLook(guard);

  function isAbandoned(): boolean {
    const look = lookAtLock();
    if (look === undefined) return false;
    const holder = holderOf(path);
    const isHere = typeof holder === 'object' && holder.host === hostname();
    if (isHere && !isAlive(holder.pid)) return true;
    if (look.watched < watchedFor) return false;
    if (holder === 'nobody') return look.age > staleAfter.empty;
    return look.age > staleAfter.any || (isHere && look.age > lifetimeOf(holder.pid) + staleAfter.reused);
  }

  /** Removes a lock under a second one: two processes that see the same abandoned lock must not remove each other's. */
  function removeAbandoned(): void {
    const descriptor = createExclusively(guard, '');
    if (descriptor === undefined) {
      const look = lookAtGuard();
      if (look !== undefined && look.watched >= watchedFor && look.age > staleAfter.takeover) removeIfThere(guard);
      return;
    }
    try {
      if (isAbandoned()) removeIfThere(path);
    } finally {
      release(guard, descriptor);
    }
  }

  return {
    isFree: () => lookAtLock() === undefined || isAbandoned(),
    take() {
      const descriptor = createExclusively(path, JSON.stringify({ pid: process.pid, host: hostname() }));
      // Who was stopped before its name was written may have lost the lock to somebody who took it for left behind.
      if (descriptor !== undefined && isAt(path, descriptor)) return descriptor;
      if (descriptor !== undefined) closeSync(descriptor);
      else if (isAbandoned()) removeAbandoned();
      return undefined;
    },
  };
}

/** Creates a file and gives its descriptor; `undefined` where there is one. */
function createExclusively(path: string, content: string): number | undefined {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      writeSync(descriptor, content);
      return descriptor;
    } catch (error) {
      // The disk may refuse this as well, and what it refused first says more.
      attempt(() => release(path, descriptor));
      throw error;
    }
  } catch (error) {
    const errno = errnoOf(error);
    // Windows answers EPERM while a removed file is still open somewhere.
    if (errno === 'EEXIST' || (process.platform === 'win32' && errno === 'EPERM')) return undefined;
    throw error;
  }
}

/** How long a file has been there: by the clock of the machine, in either direction that it was set, and as it was watched. */
interface Look {
  readonly age: number;
  readonly watched: number;
}

/** Gives a function that looks at a file; `undefined` where it is gone. All in milliseconds. */
function createLook(path: string): () => Look | undefined {
  let seen = '';
  let since = 0;
  return () => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    const { ino, size, mtimeMs } = status;
    const state = [ino, size, mtimeMs].join(':');
    if (state !== seen) {
      seen = state;
      since = performance.now();
    }
    return { age: Math.abs(Date.now() - mtimeMs), watched: performance.now() - since };
  };
}
