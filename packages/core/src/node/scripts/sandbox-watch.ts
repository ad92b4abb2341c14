// Watches a sandbox: ends one with too many processes, such as a fork bomb, because the kernel's limit does not apply to root, and
// notices one that was never set up, because its exit code looks like that of a script.

import type { EventEmitter } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { inTime } from '../../runtime/until-aborted.ts';
import { SkillError, showCode } from '../../skill/error.ts';

/** Milliseconds between two counts. A fork bomb starts a few hundred processes in this time. */
const interval = 20;

/** Milliseconds for which counting may fail, for example because this process has no descriptor left for a moment. */
const patience = 1_000;

/** The watch over one sandbox. */
export interface SandboxWatch {
  /** Ends the counting. */
  readonly stop: () => void;
  /**
   * Ends the first process of the sandbox, and with it all others. Waits for a bubblewrap that is still starting: if that were
   * ended now, the first process, which is not in its process group, would go on.
   */
  readonly endProcesses: () => Promise<void>;
  /** Resolves to whether a program was started in the sandbox. Call it only after bubblewrap has ended. */
  readonly hasStarted: () => Promise<boolean>;
}

/**
 * Counts the processes of a sandbox repeatedly. Calls `end` if there are more than the limit, and with an error if they cannot be
 * counted. Bubblewrap writes the id of the first process to the stream, and the exit code of the program if it was started
 * (`--json-status-fd`).
 */
export function watchSandbox(stream: EventEmitter, limit: number, end: (error?: SkillError) => void): SandboxWatch {
  let info = '';
  stream.on('data', (piece: Buffer) => {
    info += piece.toString();
  });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const firstProcess = (): string | undefined => /"child-pid": (\d+)\b/.exec(info)?.[1];
  const started = new Promise<void>((resolve) => {
    stream.on('data', () => firstProcess() !== undefined && resolve());
  });
  let counted = performance.now();
  const timer = setInterval(() => {
    try {
      const first = firstProcess();
      if (first !== undefined && countProcesses(`/proc/${first}/root/proc`, limit) > limit) end();
      counted = performance.now();
    } catch (error) {
      const why = `The processes of the sandbox cannot be counted${showCode(error)}.`;
      if (performance.now() - counted > patience) end(new SkillError('script-unsupported', why, { cause: error }));
    }
  }, interval);
  return {
    stop: () => clearInterval(timer),
    async endProcesses() {
      const ended = started.then(() => {
        // By then, another process may have its id.
        if (!info.includes('"exit-code"')) endProcess(Number(firstProcess()));
      });
      await inTime(ended, patience, 'Bubblewrap has not started.').catch(() => {});
    },
    async hasStarted() {
      await inTime(closed, patience, 'The stream is still open.').catch(() => {});
      return info.includes('"exit-code"');
    },
  };
}

function endProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Counts processes and their threads, without the first process, which belongs to the sandbox itself. */
function countProcesses(place: string, limit: number): number {
  const device = statSync(place, { throwIfNoEntry: false })?.dev;
  // Until the sandbox is ready, this is still the host's `/proc`.
  if (device === undefined || device === statSync('/proc').dev) return 0;
  const processes = readdirSync(place).filter((name) => /^\d+$/.test(name) && name !== '1');
  if (processes.length > limit) return processes.length;
  // A directory has two links, and one more for each directory in it, which here means for each thread.
  const threads = processes.map((id) => (statSync(`${place}/${id}/task`, { throwIfNoEntry: false })?.nlink ?? 2) - 2);
  return threads.reduce((sum, count) => sum + count, 0);
}
