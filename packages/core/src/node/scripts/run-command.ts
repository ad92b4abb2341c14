// Runs one command without a shell and without inherited descriptors, and ends its whole process group with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { longestTimeout } from '../../runtime/until-aborted.ts';
import type { RunScriptOptions, ScriptResult } from '../../scripts/plan.ts';
import { SkillError, showCode } from '../../skill/error.ts';
import { endGroup } from './end-group.ts';
import { collectOutput } from './output.ts';
import { watchSandbox } from './sandbox-watch.ts';

/** A program and its inputs. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Data that the program can read from descriptor 3. */
  readonly settings?: Uint8Array | undefined;
  /** Limit for the processes and threads of the sandbox that the program starts. It must report the sandbox on descriptor 4. */
  readonly processes?: number | undefined;
}

export interface RunCommandOptions extends RunScriptOptions {
  readonly input: string | undefined;
  /** Milliseconds after which the command is ended. */
  readonly timeout: number;
  /** Bytes of each stream that are kept. */
  readonly maxOutput: number;
}

/** Why a command was ended early. */
interface EndReason extends Partial<Pick<ScriptResult, 'timedOut' | 'tooManyProcesses'>> {
  /** The run rejects with this reason. */
  readonly failure?: { readonly reason: unknown };
}

/** Milliseconds to wait for output after the program has ended, because other processes may keep its streams open. */
const grace = 100;

/** Runs a command until it ends. Rejects if it cannot be started, or with the reason of the signal. */
export async function runCommand(command: Command, options: RunCommandOptions): Promise<ScriptResult> {
  const { input, timeout, maxOutput, signal, onOutput } = options;
  const child = start(command, input === undefined ? 'ignore' : 'pipe');
  // It failed to start, and has no streams if the process may not open any more files. The reason follows as an event.
  if (child.pid === undefined) await ended(child, command);
  const [output, errors] = [collectOutput(maxOutput), collectOutput(maxOutput)];
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  let why: EndReason = {};
  const end = (reason: EndReason): void => {
    why = { ...why, ...reason };
    if (watch === undefined) endGroup(child);
    // If bubblewrap has ended meanwhile, its id may be that of others.
    else void watch.endProcesses().then(() => isRunning() && endGroup(child));
  };
  const pass = (stream: 'output' | 'errors', text: string): void => {
    try {
      if (why.failure === undefined) onOutput?.({ stream, text });
    } catch (reason) {
      // An error thrown here would end this whole process.
      end({ failure: { reason } });
    }
  };
  child.stdout?.on('data', (piece: Buffer) => pass('output', output.add(piece)));
  child.stderr?.on('data', (piece: Buffer) => pass('errors', errors.add(piece)));
  // Errors are ignored, because a script need not read its input.
  child.stdin?.on('error', () => {}).end(input);
  for (const [index, stream] of child.stdio.slice(3).entries())
    if (stream instanceof Writable) stream.on('error', () => {}).end(index === 0 ? command.settings : undefined);
  const endIfRunning = () => {
    if (isRunning()) end({ timedOut: true });
  };
  // If this process was busy, `setImmediate` lets it notice first that the program has ended.
  const timer = setTimeout(() => setImmediate(endIfRunning), Math.min(timeout, longestTimeout));
  const abort = () => end({});
  signal?.addEventListener('abort', abort);
  const { processes } = command;
  const report = child.stdio[4];
  const exceed = (error?: SkillError) => end(error ? { failure: { reason: error } } : { tooManyProcesses: true });
  const watch = processes === undefined || !report ? undefined : watchSandbox(report, processes, exceed);
  try {
    const exitCode = await ended(child, command);
    signal?.throwIfAborted();
    const { failure, timedOut = false, ...excess } = why;
    if (failure !== undefined) throw failure.reason;
    // The exit code of a sandbox that was ended says nothing.
    const code = timedOut || excess.tooManyProcesses ? undefined : (exitCode ?? undefined);
    if (watch !== undefined && code !== undefined && code > 0 && !(await watch.hasStarted())) {
      throw new SkillError('script-unsupported', 'The sandbox could not be set up.', { cause: errors.text().trim() });
    }
    return {
      exitCode: code,
      output: output.text(),
      errors: errors.text(),
      truncated: output.isCut() || errors.isCut(),
      timedOut,
      ...excess,
    };
  } finally {
    clearTimeout(timer);
    watch?.stop();
    signal?.removeEventListener('abort', abort);
    endGroup(child);
    // A process that left the group may still have the other ends, and an open stream would keep this process alive.
    for (const stream of child.stdio) stream?.destroy();
  }
}

function start(command: Command, input: 'ignore' | 'pipe'): ChildProcess {
  const { program, arguments: given, directory, environment, settings } = command;
  // Pipes in place of all inherited descriptors, because each of them is passed on unless something replaces it.
  const replaced = new Set([...findInherited(), ...(settings === undefined ? [] : [3, 4])]);
  const further = Array.from({ length: Math.max(2, ...replaced) - 2 }, (_, at) =>
    replaced.has(at + 3) ? ('pipe' as const) : ('ignore' as const),
  );
  try {
    return spawn(program, given, {
      cwd: directory,
      env: environment,
      shell: false,
      windowsHide: true,
      // A new process group, so that all processes that the script starts can be ended with it.
      detached: process.platform !== 'win32',
      stdio: [input, 'pipe', 'pipe', ...further],
    });
  } catch (error) {
    // For example because the arguments are too long.
    throw notStarted(error, command);
  }
}

/** Flag of a descriptor that a new program does not inherit: `O_CLOEXEC`. */
const isClosedOnStart = 0o2000000;

/** Returns the descriptors that a new program would inherit. Linux only. */
function findInherited(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number).filter(isInherited);
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & isClosedOnStart) === 0;
  } catch {
    // This descriptor was open only to list the directory.
    return false;
  }
}

function notStarted(error: unknown, { directory }: Command): SkillError {
  const code = showCode(error);
  // Linux and Windows use different codes.
  const isTooLong = code.includes('E2BIG') || code.includes('ENAMETOOLONG');
  // If the directory is missing, the error says that the program is.
  const other = existsSync(directory) ? code : ': its working directory does not exist';
  const why = isTooLong ? ': its arguments are too long. Pass long text as its input' : other;
  return new SkillError('script-unsupported', `The script could not be started${why}.`, { cause: error });
}

/**
 * Waits until the program has ended, and then briefly for the rest of its output. If this process was busy for all of that time,
 * `setImmediate` lets it read what has arrived meanwhile.
 */
function ended(child: ChildProcess, command: Command): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error, command)));
    child.once('close', resolve);
    child.once('exit', (code) => setTimeout(() => setImmediate(resolve, code), grace));
  });
}
