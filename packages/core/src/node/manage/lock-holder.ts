// Reads who holds a lock, and tells whether that process can still be there.

import { uptime } from 'node:os';
import { errnoOf, nodeFileSystem } from '../disk/file-system.ts';
import { readSmallText } from '../disk/read.ts';

/** The process that a lock names. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

/** A lock is a few words. */
const maxLockBytes = 4096;

/** Reads who holds a lock: `nobody` where its content is not one, `unknown` where that cannot be read, so that it may be. */
export function holderOf(path: string): LockHolder | 'nobody' | 'unknown' {
  const content = contentOf(path);
  if (content === undefined) return 'unknown';
  try {
    const holder: unknown = JSON.parse(content);
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('host' in holder)) return 'nobody';
    const { pid, host } = holder;
    return Number.isSafeInteger(pid) && Number(pid) > 0 ? { pid: Number(pid), host: String(host) } : 'nobody';
  } catch {
    return 'nobody';
  }
}

/** The content of a lock; `undefined` where it is gone or cannot be read. */
function contentOf(path: string): string | undefined {
  try {
    const read = readSmallText(nodeFileSystem, path, maxLockBytes);
    return read === undefined || 'problem' in read ? undefined : read.text;
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}

/** Tells whether a process of this machine is alive; one of somebody else is, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

/**
 * Milliseconds for which a process that is alive can have lived at most. Numbers of processes are used again, after a
 * restart of the machine, and in a container, whose program has the same one each time it is started.
 */
export function lifetimeOf(pid: number): number {
  return (pid === process.pid ? process.uptime() : uptime()) * 1000;
}
