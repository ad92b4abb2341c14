// Builds the core as it is published, and runs the measuring programs as plain JavaScript beside it, each in a process of its own.

import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const here = import.meta.dirname;
const built = join(here, 'dist');

/** The root of this repository. */
export const repository: string = join(here, '..', '..');

/** Programs that run in processes of their own, and the files that they share. */
const programs = ['measure', 'steps', 'loads', 'loaders', 'probes'];

/** Builds everything anew. */
export function build(): void {
  rmSync(built, { recursive: true, force: true });
  const core = join(repository, 'packages', 'core');
  const bundler = join(core, 'node_modules', '.bin', 'rolldown');
  execFileSync(bundler, ['-c', 'rolldown.config.ts', '-d', join(built, 'core')], { cwd: core, stdio: 'ignore' });
  const compiler = join(repository, 'node_modules', '.bin', 'tsc');
  execFileSync(compiler, ['-p', core, '--emitDeclarationOnly', '--outDir', join(built, 'core')], { stdio: 'inherit' });
  for (const program of programs) {
    const source = stripTypeScriptTypes(readFileSync(join(here, `${program}.ts`), 'utf8'));
    writeFileSync(join(built, `${program}.js`), source.replaceAll(/from '\.\/(\w+)\.ts'/g, "from './$1.js'"));
  }
}

/** Runs a program and returns what it printed. */
export async function run<Result>(
  program: 'measure' | 'steps' | 'loads',
  ...given: readonly string[]
): Promise<Result> {
  return JSON.parse(await start([process.execPath, '--expose-gc', join(built, `${program}.js`), ...given]));
}

/** The same in a shell that allows so many open files. */
export async function runWithFiles<Result>(
  files: number,
  program: 'loads',
  ...given: readonly string[]
): Promise<Result> {
  const command = [process.execPath, '--expose-gc', join(built, `${program}.js`), ...given];
  return JSON.parse(await start(['sh', '-c', `ulimit -n ${files} && exec "$@"`, 'sh', ...command]));
}

async function start([file = '', ...given]: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, given, { maxBuffer: 2 ** 28 });
  return stdout;
}
