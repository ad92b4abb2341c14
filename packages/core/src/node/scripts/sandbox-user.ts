// Who a script is in a sandbox: the kernel limits the processes of every user except root, so a script of root is somebody else.

import { randomInt } from 'node:crypto';
import { lchownSync, readdirSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { basename, join } from 'node:path';
import { findProgram } from '../environment/programs.ts';

export interface SandboxUser {
  /** The number of a user that nobody else has, if the script is not to be root. */
  readonly id: number | undefined;
  /** What of bubblewrap makes this user possible. */
  readonly options: readonly string[];
  /** What runs the script as this user, with a limit of the kernel if there is one. */
  readonly prefix: readonly string[];
}

/** Lets the first process of the sandbox, which has to end it, go first: a thousand others would leave it no time for seconds. */
const nice = ['nice', '-n', '10'];

/** Sets the limit, which some shells call `-u` and others `-p`. A lower one that this process has stays. */
const limit = '{ ulimit -u "$0" || ulimit -p "$0"; } 2> /dev/null; exec "$@"';

/** Returns the user for a script of this process. To work in a directory of root's, a script of root has to be root. */
export function createSandboxUser(processes: number, programs: readonly string[], hasDirectory: boolean): SandboxUser {
  const limited = ['sh', '-c', limit, processes === Infinity ? 'unlimited' : String(processes), ...nice];
  const change = hasDirectory || !isRoot() ? undefined : findProgram('setpriv', programs);
  // That of BusyBox cannot change the user.
  if (change === undefined || basename(change) !== 'setpriv') {
    return { id: undefined, options: ['--unshare-user-try'], prefix: countsByNamespace() ? limited : nice };
  }
  const id = randomInt(2_000_000_000, 2_100_000_000);
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

/** Gives a directory and all that is in it to the user of a sandbox. */
export function giveTo({ id }: SandboxUser, directory: string): void {
  if (id === undefined) return;
  for (const path of ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(directory, path), id, id);
  }
}

/** `CAP_CHOWN`, `CAP_DAC_OVERRIDE`, `CAP_SETGID`, `CAP_SETUID` and `CAP_SETPCAP`. */
const neededRights = 0x1c3n;

/** Checks whether this process is root of the machine, with all rights that it takes to run a script as somebody else. */
function isRoot(): boolean {
  if (process.geteuid?.() !== 0) return false;
  const [, rights = '0'] = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  // In a container with users of its own, not every number is a user.
  const hasAllUsers = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'));
  return hasAllUsers && (BigInt(`0x${rights}`) & neededRights) === neededRights;
}

/** Since Linux 5.14, the processes of a sandbox are counted by themselves. Before, those of its user outside count, too. */
function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
