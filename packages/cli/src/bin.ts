#!/usr/bin/env node
// Connects the command to the process: arguments, streams and the exit code. Everything else is in `run`.

import { SkillError } from '@skillful/core';
import { run } from './index.ts';
import { terminalText } from './terminal/text.ts';

// A reader that has enough, such as `head`, closes the pipe. That is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || process.exitCode === 2) return;
  process.exitCode = 2;
  process.stderr.write(`error: The output could not be written (${error.code}). Check where it goes.\n`);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  // There is nowhere left to say it.
  if (error.code !== 'EPIPE') process.exitCode = 2;
});

try {
  const exitCode = await run(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    get cwd() {
      return workingDirectory();
    },
    environment: process.env,
  });
  process.exitCode ??= exitCode;
} catch (error) {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `skillful crashed. This is a bug; please report it with the output below:\n${terminalText(words)}\n`,
  );
  process.exitCode = 2;
}

/** Returns where the process works. It may have been deleted, which matters only to commands that use it. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'The working directory does not exist any more. Change to another directory.';
    throw new SkillError('source-failed', message, { cause });
  }
}
