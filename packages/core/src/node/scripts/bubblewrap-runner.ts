// Runs scripts in a sandbox of bubblewrap: without network, other processes, and files of others than the system and the skill.

import { chmodSync, existsSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ScriptRunner } from '../../scripts/plan.ts';
import { checkCounts, checkDecision, checkKeys, invalidOption } from '../../skill/options.ts';
import { orElse } from '../disk/file-system.ts';
import { findProgram } from '../environment/programs.ts';
import {
  createRunner,
  environmentFor,
  type ProcessRunnerOptions,
  runnerOptions,
  workDirectory,
} from './process-runner.ts';
import type { Command } from './run-command.ts';
import { createSandboxUser, giveTo, mayMount, type SandboxUser } from './sandbox-user.ts';
import { createSystemCallFilter } from './system-call-filter.ts';

export interface BubblewrapRunnerOptions extends Omit<ProcessRunnerOptions, 'directory'> {
  /**
   * A directory of yours that scripts can read and change; in the sandbox, it is `/work`. Without it, scripts start in an empty
   * home.
   */
  readonly directory?: string | undefined;
  /**
   * Lets scripts use the network, including every server that this machine can reach, and servers on this machine.
   * @default false
   */
  readonly network?: boolean | undefined;
  /**
   * Limit for the processes and threads of a script at the same time. A script with more is ended.
   * @default 256
   */
  readonly processes?: number | undefined;
}

/** Where the system's programs are. A user's programs are left out, because they may need files that a script must not see. */
const programs = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The files of the system that programs need, read-only. */
const system = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/alternatives',
  // Without these, documents and images have no fonts, and LibreOffice does not start.
  '/etc/fonts',
  '/etc/ImageMagick-6',
  '/etc/ImageMagick-7',
  '/etc/libreoffice',
  '/etc/ld.so.cache',
  // Otherwise, dates would be those of UTC.
  '/etc/localtime',
  // Where LaTeX on Debian has its settings and its formats.
  '/etc/texmf',
  '/var/lib/texmf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  // Where the links in `/etc/ssl` lead to on Arch and Fedora.
  '/etc/ssl/cert.pem',
  '/etc/ca-certificates/extracted',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/tls/openssl.cnf',
];

/** Returns the settings of Java on Debian, without which it does not start, but not those that may have passwords. */
function javaSettings(): readonly string[] {
  const namesIn = (directory: string): readonly string[] => orElse([], () => readdirSync(directory));
  const places = namesIn('/etc').filter((name) => /^java-\d+-openjdk$/.test(name));
  return places.flatMap((place) => {
    const names = namesIn(`/etc/${place}`).filter((name) => name !== 'management');
    return names.map((name) => `/etc/${place}/${name}`);
  });
}

/**
 * Creates a runner with a sandbox: a script sees the system's programs and its own skill, can write only to its home and
 * `directory`, and ends with this process. Needs Linux with `bwrap`. Does not limit memory and processor time. Scripts of root
 * run as another user, unless there is a `directory` or root has no `CAP_SYS_ADMIN`, as in most containers.
 *
 * @throws {SkillError} `options-invalid` if this is not Linux, `bwrap` is not installed, a limit is not a number from 0, a variable
 * makes programs load code, or an option is unknown
 */
export function bubblewrapRunner(options: BubblewrapRunnerOptions = {}): ScriptRunner {
  checkKeys('options', options, [...runnerOptions, 'network', 'processes']);
  const { network = false, processes = 256 } = options;
  checkDecision('network', network);
  const directory = workDirectory(options);
  checkCounts({ processes }, 1);
  if (process.platform !== 'linux') {
    throw invalidOption(
      '`bubblewrapRunner` needs Linux. Use `sandboxRunner`, or `processRunner` for skills that you trust.',
    );
  }
  const bwrap = findProgram('bwrap', programs);
  if (bwrap === undefined) {
    throw invalidOption('`bwrap` is not installed. Install bubblewrap, or use `processRunner`.');
  }
  return createRunner(
    options,
    programs,
    ([found, ...words], script, { skill, home }) => {
      // A link may lead to a program that the sandbox does not have at that place.
      const real = realpathSync(found);
      const interpreter = isOfSystem(real) ? found : real;
      // The kernel's limit is higher, so that counting can notice that a script has too many processes.
      const user = createSandboxUser(2 * processes, programs, directory !== undefined);
      for (const place of [skill, home]) giveTo(user, place);
      // Bubblewrap enters it without the right to enter the directories of other users.
      chmodSync(home, 0o755);
      const users = writeUsers(dirname(skill), user);
      const command: Command = {
        program: bwrap,
        arguments: [
          ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
          ...[...(network ? [] : ['--unshare-net']), '--die-with-parent', '--new-session'],
          ...['--seccomp', '3', '--json-status-fd', '4'],
          // Otherwise, root could undo everything below.
          ...['--cap-drop', 'ALL', ...user.options],
          // Read-only, because root could change settings of the kernel in `/proc`.
          ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
          ...[...system, ...javaSettings(), ...(network ? ['/etc/resolv.conf', '/etc/hosts'] : [])].flatMap(readOnly),
          // Such as Node. Deno adds options wherever it finds its own path, so that is written differently here.
          ...(isOfSystem(interpreter) ? [] : readOnly(`/.${interpreter}`)),
          ...['--ro-bind', users, '/etc/passwd', '--ro-bind', skill, '/skill', '--bind', home, '/home'],
          ...(directory === undefined ? [] : ['--bind', directory, '/work']),
          ...['--chdir', directory === undefined ? '/home' : '/work'],
          ...['--', ...user.prefix, interpreter, ...words, `/skill/${script}`],
        ],
        // If `directory` is missing, bubblewrap would name it in its output, which the model reads.
        directory: directory ?? home,
        environment: { ...environmentFor('/home', '/skill'), PATH: [...programs, dirname(interpreter)].join(':') },
        settings: createSystemCallFilter(),
        processes,
      };
      return user.id === undefined ? withLockedDevices(command) : command;
    },
    'bubblewrap',
  );
}

/** Writes the list of users for a sandbox, because some programs, such as LibreOffice, do not start if their user has no name. */
function writeUsers(directory: string, { id = process.geteuid?.() }: SandboxUser): string {
  const path = join(directory, 'passwd');
  writeFileSync(path, `script:x:${id}:${id}::/home:/bin/sh\n`);
  // The user of the script must be able to read it, whatever this process allows for new files.
  chmodSync(path, 0o444);
  return path;
}

function isOfSystem(path: string): boolean {
  return system.some((place) => path.startsWith(`${place}/`));
}

function readOnly(path: string): readonly string[] {
  // The directory is created explicitly, because bubblewrap would create one that only root can enter.
  return existsSync(path) ? ['--dir', dirname(path), '--ro-bind', path, path] : [];
}

/**
 * Keeps root from changing the devices of the machine. The owner of a file can change its permissions even in a sandbox, so each
 * device file is made read-only for the command; the device itself can still be read and written. If the input is a device, it
 * was opened outside, so it is opened again.
 */
const lock = `for each in null zero full random urandom tty; do
  mount --bind "/dev/$each" "/dev/$each" && mount -o remount,bind,ro "/dev/$each" || exit 1
done
if [ -c /dev/stdin ]; then exec < /dev/null; fi
exec "$@"`;

/** Returns the same command without rights to the devices, if this process owns them. */
function withLockedDevices(command: Command): Command {
  if (statSync('/dev/null').uid !== process.geteuid?.()) return command;
  const rights = mayMount() ? [] : ['--user', '--map-root-user'];
  const given = [...rights, '--mount', '--', 'sh', '-c', lock, 'sh', command.program, ...command.arguments];
  return { ...command, program: 'unshare', arguments: given };
}
