// Runs a program as a user would: in another folder, without the environment of this test run.

import { execFile } from 'node:child_process';

/** Output and exit code of a finished program. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a non-zero exit code is a result, not an error. */
export function run(command: string, args: readonly string[], directory: string): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env: userEnvironment(), maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Runs a program that has to succeed, and returns its standard output. */
export async function runWell(command: string, args: readonly string[], directory: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, directory);
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} in ${directory} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

function userEnvironment(): NodeJS.ProcessEnv {
  const own = (name: string): boolean =>
    /^(npm_(lifecycle|package|config_local)|VITEST|NODE_ENV|NODE_OPTIONS|INIT_CWD)/iu.test(name);
  const entries = Object.entries(process.env).filter(([name]) => !own(name));
  return { ...Object.fromEntries(entries), NO_COLOR: '1', MASTRA_TELEMETRY_DISABLED: '1' };
}
