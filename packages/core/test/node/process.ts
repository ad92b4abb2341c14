// Runs a TypeScript program of the tests in a process of its own, on the sources.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A program, and the pipes to and from it. */
type Program = ChildProcessByStdio<Writable, Readable, null>;

export function startProgram(program: URL, ...input: readonly string[]): Program {
  const options = ['--conditions=skillful-source', '--disable-warning=ExperimentalWarning', fileURLToPath(program)];
  return spawn(process.execPath, [...options, ...input], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Waits for the end; returns what the program wrote. */
export async function finishProgram(program: Program): Promise<string> {
  let output = '';
  program.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The program ended with ${code}.`);
  return output;
}
