// Ends a process and what it started, which Windows does in another way than other systems.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Ends a process and its group, even if the process itself has ended. On Windows, which has no such groups, ends a process that
 * still runs, and all that it started.
 */
export function endGroup(child: ChildProcess, platform: NodeJS.Platform = process.platform): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (platform === 'win32') {
    // After its end, another process may have its id.
    if (child.exitCode === null && child.signalCode === null) endTree(child, pid);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of its processes have already ended.
  }
}

function endTree(child: ChildProcess, pid: number): void {
  // By full path, because Windows looks for a bare name in the working directory first.
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const options = { windowsHide: true, stdio: 'ignore' } as const;
  // Only then the process itself, because without it, nothing tells what it started. If it has ended, this does nothing.
  const end = (): void => void child.kill('SIGKILL');
  spawn(program, ['/PID', String(pid), '/T', '/F'], options)
    .once('error', end)
    .once('exit', end);
}
