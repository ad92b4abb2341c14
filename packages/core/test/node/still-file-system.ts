// A file system whose upper directories stand still, for other tests put files there all the time.

import type { BigIntStats } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/node/file-system.ts';

const unmoved = { isDirectory: () => true, dev: 1n, ino: 1n, ctimeNs: 1n, ctimeMs: 0n } as BigIntStats;

/** The real file system, but for the times of the directories above `top`, and for `changes`. */
export function createStillFileSystem(top: string, changes: Partial<FileSystem> = {}): FileSystem {
  const lstatExactly = (path: string): BigIntStats =>
    path.startsWith(top) ? nodeFileSystem.lstatExactly(path) : unmoved;
  return { ...nodeFileSystem, lstatExactly, kindOf: () => 0xef53, ...changes };
}

/** Makes what is on the disk look old; a short rest keeps the next change from having the same time. */
export async function letTimePass(): Promise<void> {
  await setTimeout(30);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  onTestFinished(() => void vi.useRealTimers());
}
