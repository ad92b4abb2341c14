// Runs the command over real directories, in an environment that the test sets up.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type CommandLine, type OutputStream, run } from '../src/index.ts';

/** Path of the binary's source. */
export const binary: string = fileURLToPath(new URL('../src/bin.ts', import.meta.url));

/** The result of running the command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory of a test: the home of its user and, in `work`, the folder that its commands start in. */
export interface Place {
  readonly home: string;
  readonly work: string;
  /** Runs `skillful` in `work`. */
  skillful(...args: readonly string[]): Promise<Outcome>;
  /** Runs `skillful` with a standard input, or a person to ask. */
  skillfulIn(surroundings: Pick<CommandLine, 'stdin' | 'ask'>, ...args: readonly string[]): Promise<Outcome>;
  /** Runs `skillful` with further variables. */
  skillfulWith(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Outcome>;
}

/** Creates an empty place whose path contains a space and no link. */
export async function makePlace(): Promise<Place> {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'skillful cli '));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const work = join(home, 'work');
  await mkdir(work);
  const call = async (args: readonly string[], given: Partial<CommandLine>): Promise<Outcome> => {
    const stdout: Uint8Array[] = [];
    const stderr: Uint8Array[] = [];
    const environment = { PATH: process.env['PATH'] ?? '', HOME: home, ...given.environment };
    const io = { ...given, stdout: collector(stdout), stderr: collector(stderr), cwd: work, environment };
    const code = await run(args, io);
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  };
  return {
    home,
    work,
    skillful: (...args) => call(args, {}),
    skillfulIn: (surroundings, ...args) => call(args, surroundings),
    skillfulWith: (environment, ...args) => call(args, { environment }),
  };
}

function collector(chunks: Uint8Array[]): OutputStream {
  return { write: (chunk) => chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk) };
}

/** Runs a process to its end. */
export function runProcess(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  return new Promise((settle, fail) => {
    const child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', fail);
    child.on('close', (code) => {
      settle({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}

/** Writes files, given as path and content; `{ link }` makes a symbolic link. */
export async function writeTree(
  root: string,
  tree: Readonly<Record<string, string | Uint8Array | { readonly link: string }>>,
): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content);
    else await symlink(content.link, path);
  }
}

/** The text of a valid `SKILL.md`. */
export function skillText(name: string, description: string = `About ${name}.`, body = 'Do it.\n'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}
