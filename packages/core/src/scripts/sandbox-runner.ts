// Runs scripts in a sandbox of the application: a shell of a framework, of a service, or in memory.

import { inTime, longestTimeout, untilAborted } from '../runtime/until-aborted.ts';
import { isSkillError, SkillError, showCode } from '../skill/error.ts';
import { checkAmounts, checkCounts, checkKeys } from '../skill/options.ts';
import { checkListedPath } from '../skill/paths.ts';
import { toBase64 } from '../text/base64.ts';
import { keepEnds } from '../text/ends.ts';
import { checkArguments, interpreterOf, isProgram, optionsFor } from './interpreter.ts';
import type { RunScriptOptions, ScriptPiece, ScriptPlan, ScriptResult, ScriptRunner } from './plan.ts';

/**
 * A POSIX shell that is isolated from the host, such as a `SandboxSession` of the AI SDK. It needs `mkdir`, `base64`,
 * `chmod`, `rm` and the programs of the scripts.
 */
export interface ScriptSandbox {
  /** Runs a command line until it ends, and kills it if the signal is aborted. */
  run(call: SandboxCommand): PromiseLike<SandboxOutcome>;
}

/** A command line for a sandbox. */
export interface SandboxCommand {
  readonly command: string;
  readonly abortSignal?: AbortSignal;
  /** Receives what the command writes, while it runs. A sandbox may ignore it. */
  readonly onOutput?: (piece: ScriptPiece) => void;
}

/** The result of a command. */
export interface SandboxOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SandboxRunnerOptions {
  /** Name of the sandbox, for people. */
  readonly name: string;
  /**
   * Directory in the sandbox in which each run gets a subdirectory.
   * @default '/tmp'
   */
  readonly directory?: string | undefined;
  /**
   * Milliseconds until the script is ended.
   * @default 60,000
   */
  readonly timeout?: number | undefined;
  /**
   * Characters of the output, and of the errors, that are kept: from the beginning and the end.
   * @default 65,536
   */
  readonly maxOutput?: number | undefined;
}

/**
 * Creates a runner that writes the files of the plan into a sandbox, runs the script, and deletes the files. The sandbox decides
 * what a script can reach and must end its processes; `open` may return a new sandbox for each run, or the one of the conversation.
 * A run rejects with `script-unsupported` if the sandbox fails.
 *
 * @throws {SkillError} `options-invalid` if an option is unknown or not valid
 */
export function sandboxRunner(
  open: (call: Pick<RunScriptOptions, 'about' | 'request'>) => ScriptSandbox | Promise<ScriptSandbox>,
  options: SandboxRunnerOptions,
): ScriptRunner {
  checkKeys('options', options, ['name', 'directory', 'timeout', 'maxOutput']);
  const { name, directory = '/tmp', timeout = 60_000, maxOutput = 65_536 } = options;
  checkAmounts({ timeout });
  checkCounts({ maxOutput });
  return {
    sandbox: name,
    async run(plan, { signal, onOutput, about, request } = {}) {
      signal?.throwIfAborted();
      const place = `${directory}/skillful-script-${globalThis.crypto.randomUUID()}`;
      const command = commandFor(plan, place);
      const late = AbortSignal.timeout(Math.min(timeout, longestTimeout));
      const until = signal === undefined ? late : AbortSignal.any([signal, late]);
      const wait = <T>(work: T | PromiseLike<T>): Promise<T> => untilAborted(work, until);
      let sandbox: ScriptSandbox | undefined;
      let refusal: { readonly reason: unknown } | undefined;
      const seen = { output: '', errors: '' };
      const listen = (piece: ScriptPiece): void => {
        const all = seen[piece.stream] + piece.text;
        // Rarely, because a script may write each character in a piece of its own.
        seen[piece.stream] = all.length > 2 * maxOutput ? keepEnds(all, maxOutput) : all;
        try {
          onOutput?.(piece);
        } catch (reason) {
          refusal ??= { reason };
          throw reason;
        }
      };
      try {
        sandbox = await wait(open({ about, request }));
        for (const step of layOut(plan, place)) {
          const { exitCode, stderr } = await wait(sandbox.run({ command: step, abortSignal: until }));
          if (exitCode !== 0)
            throw new SkillError('script-unsupported', 'The sandbox could not be prepared.', {
              cause: keepEnds(stderr, 200),
            });
        }
        const { exitCode, stdout, stderr } = await wait(sandbox.run({ command, abortSignal: until, onOutput: listen }));
        return { exitCode, ...cut(stdout, stderr, maxOutput), timedOut: false };
      } catch (error) {
        signal?.throwIfAborted();
        if (refusal !== undefined) throw refusal.reason;
        if (late.aborted) return { ...cut(seen.output, seen.errors, maxOutput), timedOut: true };
        if (isSkillError(error)) throw error;
        throw new SkillError('script-unsupported', `The sandbox failed${showCode(error)}.`, { cause: error });
      } finally {
        await clear(sandbox, place);
      }
    },
  };
}

/** The part of `Bash` from `just-bash` that is used here, so that the core need not import it. */
export interface BashLike {
  exec(command: string, options?: { signal?: AbortSignal }): Promise<SandboxOutcome>;
}

/**
 * Creates a sandbox from a `Bash` of `just-bash`, a shell in JavaScript with files in memory, no processes and, by default, no
 * network. It has the usual shell programs, but Python and Node only if that `Bash` has them.
 */
export function justBashSandbox(bash: BashLike): ScriptSandbox {
  return {
    run: ({ command, abortSignal: signal }) => bash.exec(command, signal && { signal }),
  };
}

/** Milliseconds to wait until the files are deleted, because a sandbox that hangs must not delay the result. */
const clearingTime = 2_000;

/** Deletes the files, even if the signal is aborted. Ignores failures, because if the sandbox is gone, its files are, too. */
async function clear(sandbox: ScriptSandbox | undefined, place: string): Promise<void> {
  if (sandbox === undefined) return;
  const deleting = (async () => sandbox.run({ command: `rm -rf ${quote(place)}` }))();
  await inTime(deleting, clearingTime, 'The files were not deleted in time.').catch(() => {});
}

function cut(output: string, errors: string, maxOutput: number): Omit<ScriptResult, 'timedOut'> {
  const truncated = output.length > maxOutput || errors.length > maxOutput;
  return { output: keepEnds(output, maxOutput), errors: keepEnds(errors, maxOutput), truncated };
}

/** Returns the command line of the script. Everything that comes from outside is quoted, so that the shell takes it literally. */
function commandFor({ path, arguments: given, input, files }: ScriptPlan, place: string): string {
  const { name, options } = interpreterOf(path, files.get(path));
  checkArguments(path, given);
  const skill = `${place}/skill`;
  const from = input === undefined ? '/dev/null' : `${place}/input`;
  // The shell of `just-bash` takes no options when it starts.
  const isDoubtful = options.length > 0 && (name === 'sh' || name === 'bash');
  const written = options.map(quote);
  const choosing = isDoubtful
    ? `set --; if ${name} -e -c : > /dev/null 2>&1; then set -- ${written.join(' ')}; fi; `
    : '';
  const words = [
    ...[name, ...optionsFor(name)].map(quote),
    ...(isDoubtful ? ['"$@"'] : written),
    ...[`${skill}/${path}`, ...given].map(quote),
  ];
  const script = `SKILL_DIR=${quote(skill)} ${words.join(' ')} < ${quote(from)}`;
  return `cd ${quote(`${place}/home`)} && { ${choosing}${script}; }`;
}

/** Characters of base64 in one command, because Linux limits an argument to 128 KiB. */
const pieceLength = 65_536;

/** Returns the commands that write all files; one command may write several small files. */
function layOut({ files, input }: ScriptPlan, place: string): readonly string[] {
  const all = new Map<string, Uint8Array>();
  for (const [path, content] of files) all.set(`${place}/skill/${checkListedPath(path).join('/')}`, content);
  if (input !== undefined) all.set(`${place}/input`, new TextEncoder().encode(input));
  const commands: string[] = [];
  const add = (command: string): void => {
    const last = commands.at(-1);
    const isShort = last !== undefined && last.length + command.length < pieceLength;
    commands.push(isShort ? `${commands.pop()} && ${command}` : command);
  };
  add(`mkdir -p ${quote(`${place}/home`)}`);
  for (const [path, content] of all) {
    const text = toBase64(content);
    add(`mkdir -p ${quote(path.slice(0, path.lastIndexOf('/')))}`);
    add(`: > ${quote(path)}`);
    for (let at = 0; at < text.length; at += pieceLength) {
      add(`printf %s ${quote(text.slice(at, at + pieceLength))} | base64 -d >> ${quote(path)}`);
    }
    if (isProgram(content)) add(`chmod +x ${quote(path)}`);
  }
  return commands;
}

/** Puts a text in single quotes, inside which a shell takes every other character literally. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
