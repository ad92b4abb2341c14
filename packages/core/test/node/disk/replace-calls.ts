// Replaces calls of Node's file system, so that a test can make each of them fail.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Node's own calls, whatever a test has replaced. */
export const realCalls = { ...fs };

type Calls = { readonly [Name in keyof typeof fs]?: (...input: never) => unknown };

/** Replaces calls until the test ends. */
export function replaceCalls(calls: Calls): void {
  Object.assign(fs, calls);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, Object.fromEntries(Object.entries(realCalls).filter(([name]) => name in calls)));
    syncBuiltinESMExports();
  });
}

/** As on macOS and Windows, the kernel does not say which file is open. */
export const muteKernel: Calls = {
  readlinkSync() {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  },
};

/** Checks whether these are the arguments with which a file is created beside the one that it will replace. */
export function isNewFile(path: unknown, flags: unknown): boolean {
  return flags === 'wx' && String(path).endsWith('.tmp');
}
