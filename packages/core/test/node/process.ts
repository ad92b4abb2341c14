// Runs a TypeScript program of the tests in a process of its own, on the sources.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export function startProgram(program: URL, ...input: readonly string[]): ChildProcess {
  const options = ['--conditions=skillful-source', '--disable-warning=ExperimentalWarning', fileURLToPath(program)];
  return spawn(process.execPath, [...options, ...input], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Waits for the end; returns what the program wrote. */
export async function finishProgram(program: ChildProcess): Promise<string> {
  let output = '';
  program.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The program ended with ${code}.`);
  return output;
}
