// Runs a part of a suite in its own process, so that nothing can be kept in memory.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs what was built or, in this workspace, the source with the sources of the core; returns the JSON of its last line. */
export async function runProgram<Result>(name: string, args: readonly string[]): Promise<Result> {
  const isSource = import.meta.filename.endsWith('.ts');
  const program = join(import.meta.dirname, `${name}.${isSource ? 'ts' : 'js'}`);
  const conditions = isSource ? ['--conditions', 'skillful-source'] : [];
  const environment = { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' };
  const options = { env: environment, maxBuffer: 1 << 28 };
  const { stdout } = await run(process.execPath, [...conditions, program, ...args], options);
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1));
}
