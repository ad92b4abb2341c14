#!/usr/bin/env node
// Connects the command to the process: arguments, streams and the exit code. Everything else is in `run`.

import { run } from './index.ts';

// A reader that has enough, such as `head`, closes the pipe. That is not a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  process.exitCode = await run(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    environment: process.env,
  });
} catch (error) {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`skillful crashed. This is a bug; please report it with the output below:\n${words}\n`);
  process.exitCode = 2;
}
