#!/usr/bin/env node
// Ties the command to the process: arguments, streams and the exit code. Everything else is in `run`.

import { run } from './index.ts';

// A reader that has enough, such as `head`, closes the pipe; that is no failure.
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
  process.stderr.write(
    `skillful failed, which is a mistake of its own. Please report it with these lines:\n${words}\n`,
  );
  process.exitCode = 2;
}
