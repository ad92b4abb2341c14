// Runs one command line from its arguments to its exit code, and reports failures in one sentence.

import { isSkillError, SkillError, type SkillErrorCode } from '@skillful/core';
import { CommanderError } from 'commander';
import type { CommandLine, ExitCode } from './command-line.ts';
import { loadProgram } from './program.ts';
import { guardTerminal } from './terminal/guard.ts';
import { writeError, writeJson } from './terminal/output.ts';

/**
 * Runs `skillful` with arguments, which do not include the name of the program. Writes results to `stdout` and everything else to
 * `stderr`.
 */
export async function run(args: readonly string[], surroundings: CommandLine): Promise<ExitCode> {
  // `pnpm run skillful -- list` passes on its `--`, after which options would no longer be options.
  const argv = args[0] === '--' ? args.slice(1) : args;
  const io: CommandLine = {
    stdout: guardTerminal(surroundings.stdout, surroundings.environment),
    stderr: guardTerminal(surroundings.stderr, surroundings.environment),
    environment: surroundings.environment,
    signal: surroundings.signal,
    get stdin() {
      return surroundings.stdin;
    },
    get ask() {
      return surroundings.ask;
    },
    // A getter, because the directory may have been deleted, which matters only to commands that use it.
    get cwd() {
      return surroundings.cwd;
    },
  };
  // What follows `--` is not an option of ours. It may be an argument of a script.
  const end = argv.indexOf('--');
  const own = argv.slice(0, end < 0 ? undefined : end).join('\n');
  const wantsJson = /^--(?:json|format[=\n]json)$/m.test(own);
  let exitCode: ExitCode = 0;
  try {
    if (argv.length === 0) return await (await import('./commands/overview.ts')).overview(io);
    const program = await loadProgram(argv, io, (code) => {
      exitCode = code;
    });
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (cause) {
    const error = isRefusedByNode(cause) ? new SkillError('source-failed', cause.message, { cause }) : cause;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (wantsJson) writeJsonError('usage', error.message.replace(/^error: /u, ''), io);
      return 2;
    }
    if (!isSkillError(error)) throw error;
    writeError(error.message, io);
    if (wantsJson) writeJsonError(error.code, error.message, io);
    return error.code === 'options-invalid' || error.code === 'source-failed' ? 2 : 1;
  }
}

/** Recognises a refusal of Node's permission model. Its message names the option that grants access. */
function isRefusedByNode(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
}

/** Writes an error. With `--json`, standard output is a JSON document even without a result. */
function writeJsonError(code: SkillErrorCode | 'usage', message: string, io: CommandLine): void {
  writeJson({ ok: false, error: { code, message } }, io);
}
