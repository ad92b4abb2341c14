// Chooses the user for a script in a sandbox: not root, because the kernel does not limit the processes of root.

import { lchownSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { release } from 'node:os';
import { basename, join } from 'node:path';
import { findProgram } from '../environment/programs.ts';

/** The user as whom a script runs in a sandbox. */
export interface SandboxUser {
  /** An otherwise unused user id; absent if the script runs as the user of this process. */
  readonly id: number | undefined;
  /** The options of bubblewrap that this user needs. */
  readonly options: readonly string[];
  /** The programs that start the script as this user, with the kernel's limit if possible. */
  readonly prefix: readonly string[];
}

/** Lowers the priority, so that the first process of the sandbox gets time to end it even among a thousand others. */
const nice = ['nice', '-n', '10'];

/** Sets the limit, which is `-u` in some shells and `-p` in others. A lower limit is kept. */
const limit = '{ ulimit -u "$0" || ulimit -p "$0"; } 2> /dev/null; exec "$@"';

/** Returns the user for scripts of this process. If there is a directory of the application, scripts of root must stay root. */
export function createSandboxUser(processes: number, programs: readonly string[], hasDirectory: boolean): SandboxUser {
  const limited = ['sh', '-c', limit, processes === Infinity ? 'unlimited' : String(processes), ...nice];
  const change = hasDirectory || !isRoot() ? undefined : findProgram('setpriv', programs);
  // The `setpriv` of BusyBox, which is a link to it, cannot change the user.
  if (change === undefined || basename(realpathSync(change)) !== 'setpriv') {
    return { id: undefined, options: ['--unshare-user-try'], prefix: countsByNamespace() ? limited : nice };
  }
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const id = 2_000_000_000 + (random % 100_000_000);
  return {
    id,
    options: ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]),
    prefix: [
      ...['sh', '-c', 'chmod 1777 /tmp /dev/shm; exec "$@"', 'sh', ...limited],
      ...[change, '--reuid', String(id), '--regid', String(id), '--clear-groups'],
      ...['--inh-caps=-all', '--bounding-set=-all', '--'],
    ],
  };
}

/** Makes the user of a sandbox the owner of a directory and everything in it. */
export function giveTo({ id }: SandboxUser, directory: string): void {
  if (id === undefined) return;
  for (const path of ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(directory, path), id, id);
  }
}

/** `CAP_CHOWN`, `CAP_DAC_OVERRIDE`, `CAP_SETGID`, `CAP_SETUID` and `CAP_SETPCAP`. */
const neededRights = 0x1c3n;

/** `CAP_SYS_ADMIN`, which root of a container usually does not have. */
const mountRight = 0x200000n;

/** Checks whether this process may mount without a user namespace. */
export function mayMount(): boolean {
  return has(mountRight);
}

function has(wanted: bigint): boolean {
  const [, rights = '0'] = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return (BigInt(`0x${rights}`) & wanted) === wanted;
}

/** Checks whether this process is root of the machine, with all rights that are needed to run a script as another user. */
function isRoot(): boolean {
  if (process.geteuid?.() !== 0) return false;
  // In a container with its own users, not every id is available.
  const hasAllUsers = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'));
  return hasAllUsers && has(neededRights | mountRight);
}

/** Checks whether the limit counts only processes in the sandbox, as since Linux 5.14, and not all processes of the user. */
function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
