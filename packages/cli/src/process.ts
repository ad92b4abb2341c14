// Connects the command to the process: arguments, streams, the person at the terminal and the exit code.

import { addAbortSignal } from 'node:stream';
import { SkillError } from '@skillful/core';
import { run } from './index.ts';
import { terminalText } from './terminal/text.ts';

/** Runs the command with the arguments of the process, and sets its exit code. */
export async function start(): Promise<void> {
  const stopping = new AbortController();
  // A reader such as `head` closes the pipe once it has enough, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') stopping.abort();
    if (error.code === 'EPIPE' || process.exitCode === 2) return;
    process.exitCode = 2;
    process.stderr.write(`error: The output could not be written (${error.code}). Check where it goes.\n`);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    // There is no stream left to report this.
    if (error.code !== 'EPIPE') process.exitCode = 2;
  });

  // With a listener, a signal waits for the event loop, so that it never leaves the temporary file of a half-done write behind. But
  // Node then no longer restores the terminal and the pipes, which other programs use, too. So it has listeners only if it may write
  // many files, or runs a script, which must end first.
  const isScript = process.argv.slice(2).find((word) => word !== '--') === 'run';
  if (isScript || process.argv.includes('--fix')) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        // Windows cannot send SIGHUP, and ends a process in the same way for each signal.
        const end = (): void =>
          void (process.platform === 'win32' ? process.exit(1) : process.kill(process.pid, signal));
        stopping.abort();
        if (isScript) process.once('beforeExit', end);
        else end();
      });
    }
  }

  try {
    const exitCode = await run(process.argv.slice(2), {
      stdout: process.stdout,
      stderr: process.stderr,
      get cwd() {
        return workingDirectory();
      },
      environment: process.env,
      signal: stopping.signal,
      // Getters, because either opens the standard input.
      get stdin() {
        return addAbortSignal(stopping.signal, process.stdin);
      },
      get ask() {
        return process.stdin.isTTY ? (question: string) => ask(question, stopping.signal) : undefined;
      },
    });
    process.exitCode ??= exitCode;
  } catch (error) {
    if (stopping.signal.aborted) return;
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(
      `skillful crashed. This is a bug; please report it with the output below:\n${terminalText(words)}\n`,
    );
    process.exitCode = 2;
  }
}

/** Asks a question at the terminal. The end of the input, and a signal, count as an empty answer. */
async function ask(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline');
  const isHidden = process.stdout.isTTY && !process.stderr.isTTY;
  const output = isHidden ? process.stdout : process.stderr;
  const lines = createInterface({ input: process.stdin, output, signal });
  return new Promise((answer) => {
    lines.once('close', () => answer(''));
    lines.question(question, (line) => {
      answer(line);
      lines.close();
    });
  });
}

/** Returns the working directory. It may have been deleted, which matters only to commands that use it. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'The working directory does not exist any more. Change to another directory.';
    throw new SkillError('source-failed', message, { cause });
  }
}
