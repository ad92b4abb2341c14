// Runs a part of a suite in a separate process, so that nothing can be kept in memory.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs the built program or, in this workspace, its source with the sources of the core. Returns the JSON in its last line. */
export async function runProgram<Result>(name: string, args: readonly string[]): Promise<Result> {
  const isSource = import.meta.filename.endsWith('.ts');
  const program = join(import.meta.dirname, `${name}.${isSource ? 'ts' : 'js'}`);
  const conditions = isSource ? ['--conditions', 'skillful-source'] : [];
  const environment = { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' };
  const options = { env: environment, maxBuffer: 1 << 28 };
  const { stdout } = await run(process.execPath, [...conditions, program, ...args], options);
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1));
}
