// Lets several threads fetch what is asked for next where the disk is slow; what they read is not looked at.

import { close, open, read } from 'node:fs';
import { containment, openFlags, pathOf } from '../disk/contained-file.ts';
import { nodeFileSystem } from '../disk/file-system.ts';
import { skillFileSuffix } from './skill-stamp.ts';

/** Files that are fetched at once; more than there are threads only costs descriptors. */
const lanes = 16;

/** Milliseconds for one directory from which the disk is slow: what is in memory takes a tenth, on a disk it takes twice that. */
const slowLook = 0.1;

/** Milliseconds for one file from which it is still worth it to fetch: half of what a disk takes, twice what memory does. */
const slowFetch = 0.05;

/** Files by which the disk is judged. */
const probe = 32;

/** Files that are fetched ahead. */
const stretch = 256;

/** What is told where a walk has come to. */
export interface Prefetch {
  /** Tells that a directory is looked at next. Gives a promise only where it is faster to wait for it. */
  readonly before: (index: number) => Promise<void> | undefined;
}

/**
 * Watches how long it takes to look at directories one after the other, and while that is long fetches the next ones' `SKILL.md`
 * ahead. A file in memory is read fastest by one thread, one on a disk by several: twice as fast.
 *
 * @param pathAt gives the real path of a directory by its index
 */
export function createPrefetch(count: number, pathAt: (index: number) => string): Prefetch {
  let [start, from, end] = [performance.now(), 0, probe];
  let isFetchSlow = false;

  async function fetch(first: number): Promise<void> {
    const began = performance.now();
    [from, end] = [first, Math.min(count, first + stretch)];
    let next = first;
    const lane = async (): Promise<void> => {
      while (next < end) {
        const path = pathAt(next) + skillFileSuffix;
        next += 1;
        await touch(path);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    start = performance.now();
    isFetchSlow = start - began > (end - first) * slowFetch;
  }

  return {
    before(index) {
      // Where the kernel cannot prove what was opened, nothing is opened in advance.
      if (index < end || containment() !== 'kernel') return undefined;
      const now = performance.now();
      if (isFetchSlow || now - start > (index - from) * slowLook) return fetch(index);
      [start, from, end] = [now, index, index + probe];
      return undefined;
    },
  };
}

const nothing = new Uint8Array(1);

/** Has the system read the beginning of a file, under the same proof as any read; whatever fails will fail again and be said then. */
function touch(path: string): Promise<void> {
  return new Promise((resolve) => {
    open(path, openFlags, (error, descriptor) => {
      if (error !== null) return resolve();
      const end = (): void => close(descriptor, () => resolve());
      if (isAt(path, descriptor)) read(descriptor, nothing, 0, 1, 0, end);
      else end();
    });
  });
}

function isAt(path: string, descriptor: number): boolean {
  try {
    return pathOf(nodeFileSystem, descriptor) === path;
  } catch {
    return false;
  }
}
