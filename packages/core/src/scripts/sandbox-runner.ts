// Runs scripts in a sandbox that the application brings: a shell of a framework, of a service, or in memory.

import { inTime, longestTimeout, untilAborted } from '../runtime/until-aborted.ts';
import { isSkillError, SkillError, showCode } from '../skill/error.ts';
import { checkAmounts, checkCounts } from '../skill/number-options.ts';
import { checkListedPath } from '../skill/paths.ts';
import { toBase64 } from '../text/base64.ts';
import { keepEnds } from '../text/ends.ts';
import { cannotRun, interpreterOf } from './interpreter.ts';
import type { RunScriptOptions, ScriptPiece, ScriptPlan, ScriptResult, ScriptRunner } from './plan.ts';

/** A POSIX shell that is kept apart from the host. It needs `mkdir`, `base64`, `rm` and the programs of the scripts. */
export interface ScriptSandbox {
  /** Runs a command line to its end, and ends it if the signal is aborted. */
  run(command: string, options: RunScriptOptions): PromiseLike<SandboxOutcome>;
}

/** The result of a command. */
export interface SandboxOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SandboxRunnerOptions {
  /** Says what the sandbox is, for people. */
  readonly name: string;
  /**
   * Directory of the sandbox in which each run gets one of its own.
   * @default '/tmp'
   */
  readonly directory?: string | undefined;
  /**
   * Milliseconds until the script is ended.
   * @default 60,000
   */
  readonly timeout?: number | undefined;
  /**
   * Limit for the characters of the output, and for those of the errors; the beginning and the end are kept.
   * @default 65,536
   */
  readonly maxOutput?: number | undefined;
}

/**
 * Creates a runner for sandboxes: writes the files of the plan into one, runs the script, and deletes the files. What a script
 * can reach, and whether all its processes end, is up to the sandbox; `open` may return a new one for each run.
 */
export function sandboxRunner(
  open: () => ScriptSandbox | Promise<ScriptSandbox>,
  { name, directory = '/tmp', timeout = 60_000, maxOutput = 65_536 }: SandboxRunnerOptions,
): ScriptRunner {
  checkAmounts({ timeout });
  checkCounts({ maxOutput });
  return {
    sandbox: name,
    async run(plan, { signal, onOutput } = {}) {
      signal?.throwIfAborted();
      const place = `${directory}/skillful-script-${globalThis.crypto.randomUUID()}`;
      const command = commandFor(plan, place);
      const late = AbortSignal.timeout(Math.min(timeout, longestTimeout));
      const until = signal === undefined ? late : AbortSignal.any([signal, late]);
      const wait = <T>(work: T | PromiseLike<T>): Promise<T> => untilAborted(work, until);
      let sandbox: ScriptSandbox | undefined;
      let refusal: { readonly reason: unknown } | undefined;
      const listen = (piece: ScriptPiece): void => {
        try {
          onOutput?.(piece);
        } catch (reason) {
          refusal ??= { reason };
          throw reason;
        }
      };
      try {
        sandbox = await wait(open());
        for (const step of layOut(plan, place)) {
          const { exitCode, stderr } = await wait(sandbox.run(step, { signal: until }));
          if (exitCode !== 0)
            throw new SkillError('script-unsupported', 'The sandbox could not be prepared.', {
              cause: keepEnds(stderr, 200),
            });
        }
        return describe(await wait(sandbox.run(command, { signal: until, onOutput: onOutput && listen })), maxOutput);
      } catch (error) {
        signal?.throwIfAborted();
        if (refusal !== undefined) throw refusal.reason;
        if (!late.aborted) throw isSkillError(error) ? error : failed(error);
        return { output: '', errors: '', truncated: false, timedOut: true };
      } finally {
        await clear(sandbox, place);
      }
    },
  };
}

/** What is used of the `Bash` of `just-bash`, so that the core does not import it. */
export interface BashLike {
  exec(command: string, options?: { signal?: AbortSignal }): Promise<SandboxOutcome>;
}

/**
 * Creates a sandbox of a `Bash` of `just-bash`, a shell in JavaScript: files in memory, no processes and, by default, no network. It
 * has the programs of a shell, but neither Python nor Node unless that `Bash` has them.
 */
export function justBashSandbox(bash: BashLike): ScriptSandbox {
  return {
    run: (command, { signal }) => bash.exec(command, signal === undefined ? {} : { signal }),
  };
}

/** Milliseconds for deleting the files, because a sandbox that hangs must not hold up the result. */
const clearingTime = 2_000;

/** Ignores the signal, which may be aborted. If the sandbox is gone, its files are, too. */
async function clear(sandbox: ScriptSandbox | undefined, place: string): Promise<void> {
  if (sandbox === undefined) return;
  const deleting = (async () => sandbox.run(`rm -rf ${quote(place)}`, {}))();
  await inTime(deleting, clearingTime, 'The files were not deleted in time.').catch(() => {});
}

function describe({ exitCode, stdout, stderr }: SandboxOutcome, maxOutput: number): ScriptResult {
  const output = keepEnds(stdout, maxOutput);
  const errors = keepEnds(stderr, maxOutput);
  return { exitCode, output, errors, truncated: output !== stdout || errors !== stderr, timedOut: false };
}

function failed(cause: unknown): SkillError {
  return new SkillError('script-unsupported', `The sandbox failed${showCode(cause)}.`, { cause });
}

/** The command line of the script. Everything that is not ours is quoted, so the shell sees words only. */
function commandFor({ path, arguments: given, input, files }: ScriptPlan, place: string): string {
  const program = interpreterOf(path, files.get(path));
  if (given.some((text) => text.includes('\0'))) throw cannotRun(path, 'an argument contains NUL');
  const skill = `${place}/skill`;
  const words = [program, `${skill}/${path}`, ...given].map(quote).join(' ');
  const from = input === undefined ? '/dev/null' : `${place}/input`;
  return `cd ${quote(`${place}/home`)} && SKILL_DIR=${quote(skill)} ${words} < ${quote(from)}`;
}

/** Characters of base64 in one command: Linux takes no argument of more than 128 KiB. */
const pieceLength = 65_536;

/** The commands that write all files, several small files with one. */
function layOut({ files, input }: ScriptPlan, place: string): readonly string[] {
  const all = new Map<string, Uint8Array>();
  for (const [path, content] of files) all.set(`${place}/skill/${checkListedPath(path).join('/')}`, content);
  if (input !== undefined) all.set(`${place}/input`, new TextEncoder().encode(input));
  const commands: string[] = [`mkdir -p ${quote(`${place}/home`)}`];
  for (const [path, content] of all) {
    const text = toBase64(content);
    commands.push(`mkdir -p ${quote(path.slice(0, path.lastIndexOf('/')))}`, `: > ${quote(path)}`);
    for (let at = 0; at < text.length; at += pieceLength) {
      commands.push(`printf %s ${quote(text.slice(at, at + pieceLength))} | base64 -d >> ${quote(path)}`);
    }
  }
  return joinShort(commands);
}

function joinShort(commands: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const command of commands) {
    const last = joined.at(-1);
    if (last !== undefined && last.length + command.length < pieceLength)
      joined[joined.length - 1] = `${last} && ${command}`;
    else joined.push(command);
  }
  return joined;
}

/** Puts a text in single quotes, in which a shell reads every other character as it is. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
