// A file system whose upper directories stand still, for other tests put files there all the time.

import type { Stats } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';

const unmoved = { isDirectory: () => true, dev: 1, ino: 1, ctimeMs: 0 } as Stats;

/** The real file system, but for the times of the directories above `top`, and for `changes`. */
export function createStillFileSystem(top: string, changes: Partial<FileSystem> = {}): FileSystem {
  const lstat = (path: string): Stats => (path.startsWith(top) ? nodeFileSystem.lstat(path) : unmoved);
  return { ...nodeFileSystem, lstat, kindOf: () => 0xef53, ...changes };
}

/** Makes what is on the disk look old; a short rest keeps the next change from having the same time. */
export async function letTimePass(): Promise<void> {
  await setTimeout(30);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  onTestFinished(() => void vi.useRealTimers());
}
