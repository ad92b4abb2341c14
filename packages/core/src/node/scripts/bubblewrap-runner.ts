// Runs scripts in a sandbox of bubblewrap: no network, no files but the system's programs and the skill's own, no other processes.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ScriptRunner } from '../../scripts/plan.ts';
import { SkillError } from '../../skill/error.ts';
import { checkCounts } from '../../skill/number-options.ts';
import { findProgram } from '../environment/programs.ts';
import { createRunner, environmentFor, type ProcessRunnerOptions } from './process-runner.ts';
import type { Command } from './run-command.ts';
import { createSandboxUser, giveTo } from './sandbox-user.ts';
import { createSystemCallFilter } from './system-call-filter.ts';

export interface BubblewrapRunnerOptions extends Omit<ProcessRunnerOptions, 'directory'> {
  /** A directory of yours that scripts can read and change, as `/work`. Without one they start in an empty home. */
  readonly directory?: string | undefined;
  /**
   * Lets scripts use the network, and with it every server that this machine can reach, its own included.
   * @default false
   */
  readonly network?: boolean | undefined;
  /**
   * Limit for the processes and threads that a script has at the same time. A script with more is ended.
   * @default 256
   */
  readonly processes?: number | undefined;
}

/** Where the system's programs are; a user's programs may need files that a script must not see. */
const programs = ['/usr/local/bin', '/usr/bin', '/bin'];

/** What programs need of the system, read-only. */
const system = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

/**
 * Creates a runner in which a script sees the system's programs and its own skill, can write to its home and `directory` only,
 * and ends with this process. Linux with `bwrap` only; memory and processor are not limited. Root's scripts run as another user,
 * unless they have a `directory`.
 *
 * @throws {SkillError} `options-invalid` if `bwrap` is not installed, if a limit is not a number from 0, or for a variable that makes
 * programs load code
 */
export function bubblewrapRunner(options: BubblewrapRunnerOptions = {}): ScriptRunner {
  const { directory, network = false, processes = 256 } = options;
  checkCounts({ processes }, 1);
  const bwrap = findProgram('bwrap', programs);
  if (bwrap === undefined) {
    throw new SkillError('options-invalid', '`bwrap` is not installed. Install bubblewrap, or use `processRunner`.');
  }
  return createRunner(
    options,
    programs,
    (interpreter, script, { skill, home }) => {
      // The kernel's limit is higher, so that the count sees when a script has too many.
      const user = createSandboxUser(2 * processes, programs, directory !== undefined);
      for (const place of [skill, home]) giveTo(user, place);
      const command: Command = {
        program: bwrap,
        arguments: [
          ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
          ...[...(network ? [] : ['--unshare-net']), '--die-with-parent', '--new-session'],
          ...['--seccomp', '3', '--info-fd', '4'],
          // Otherwise the superuser could undo all that follows.
          ...['--cap-drop', 'ALL', ...user.options],
          // `/proc` contains settings of the kernel, which the superuser could change.
          ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
          ...[...system, ...(network ? ['/etc/resolv.conf', '/etc/hosts'] : [])].flatMap(readOnly),
          // Node, if it is elsewhere.
          ...(system.some((place) => interpreter.startsWith(`${place}/`)) ? [] : readOnly(interpreter)),
          ...['--ro-bind', skill, '/skill', '--bind', home, '/home'],
          ...(directory === undefined ? [] : ['--bind', directory, '/work']),
          ...['--chdir', directory === undefined ? '/home' : '/work'],
          ...['--', ...user.prefix, interpreter, `/skill/${script}`],
        ],
        directory: home,
        environment: { ...environmentFor('/home', '/skill'), PATH: `/usr/bin:/bin:${dirname(interpreter)}` },
        settings: createSystemCallFilter(),
        processes,
      };
      return user.id === undefined ? withLockedDevices(command) : command;
    },
    'bubblewrap',
  );
}

function readOnly(path: string): readonly string[] {
  // Otherwise bubblewrap would create the directory of the file, and only root could enter it.
  return existsSync(path) ? ['--dir', dirname(path), '--ro-bind', path, path] : [];
}

/**
 * Keeps root from changing the devices of the machine: makes each device file read-only for the command, because the owner of a file
 * can change its permissions in a sandbox, too. The device itself can still be read and written. An input that is a device was opened
 * outside, so it is opened again.
 */
const lock = `for each in null zero full random urandom tty; do
  mount --bind "/dev/$each" "/dev/$each" && mount -o remount,bind,ro "/dev/$each" || exit 1
done
if [ -c /dev/stdin ]; then exec < /dev/null; fi
exec "$@"`;

/** Returns a command that does the same without a right to the devices, if this process owns them. */
function withLockedDevices(command: Command): Command {
  if (statSync('/dev/null').uid !== process.geteuid?.()) return command;
  const given = ['--mount', '--', 'sh', '-c', lock, 'sh', command.program, ...command.arguments];
  return { ...command, program: 'unshare', arguments: given };
}
