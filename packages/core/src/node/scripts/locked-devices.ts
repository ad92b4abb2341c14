// Keeps root from changing the devices of the machine: in a sandbox, too, the owner of a file can change its permissions.

import { statSync } from 'node:fs';
import type { Command } from './run-command.ts';

/**
 * Makes each device file read-only for the command; the device itself can still be read and written. An input that is a device
 * was opened outside, so it is opened again.
 */
const lock = `for each in null zero full random urandom tty; do
  mount --bind "/dev/$each" "/dev/$each" && mount -o remount,bind,ro "/dev/$each" || exit 1
done
if [ -c /dev/stdin ]; then exec < /dev/null; fi
exec "$@"`;

/** Returns a command that does the same without a right to the devices, if this process owns them. */
export function withLockedDevices(command: Command): Command {
  if (statSync('/dev/null').uid !== process.geteuid?.()) return command;
  const given = ['--mount', '--', 'sh', '-c', lock, 'sh', command.program, ...command.arguments];
  return { ...command, program: 'unshare', arguments: given };
}
