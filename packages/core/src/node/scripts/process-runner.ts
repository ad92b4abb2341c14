// Runs scripts as processes on this machine: their exact bytes, without a shell, with few variables, and nothing left behind.

import { mkdirSync, opendirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { withoutUndefined } from '../../runtime/record.ts';
import { cannotRun, checkArguments, interpreterOf, isProgram, optionsFor } from '../../scripts/interpreter.ts';
import type { ScriptPlan, ScriptRunner } from '../../scripts/plan.ts';
import { SkillError, showCode } from '../../skill/error.ts';
import { checkAmounts, checkCounts, checkKeys, invalidOption } from '../../skill/options.ts';
import { checkListed } from '../discovery/list-files.ts';
import { entriesIn } from '../disk/file-system.ts';
import { findProgram, programDirectories } from '../environment/programs.ts';
import type { Command } from './run-command.ts';
import { makeRunDirectory, removeRunDirectory } from './run-directory.ts';

/** The names of the options of every runner of processes. */
export const runnerOptions: readonly string[] = ['timeout', 'maxOutput', 'environment', 'directory'];

export interface ProcessRunnerOptions {
  /**
   * Milliseconds after which the script is ended.
   * @default 60,000
   */
  readonly timeout?: number | undefined;
  /**
   * Bytes of the output, and of the errors, that are kept: from the beginning and the end.
   * @default 65,536
   */
  readonly maxOutput?: number | undefined;
  /** Variables besides `PATH`, `HOME`, `LANG`, `TMPDIR` and `SKILL_DIR`. Variables that make a program load code are refused. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * The working directory, which scripts can change.
   * @default a new directory, which is deleted afterwards
   */
  readonly directory?: string | undefined;
}

/** Matches variables that make programs load code, and invalid names, which could set another variable. */
const loading = new RegExp(
  [
    '^(?:LD|DYLD|GCONV|OPENSSL|NODE|BUN|DENO|GEM|BUNDLE|LUA|DOTNET|CORECLR|COR|COMPLUS|BASH|GIT|JAVA)_',
    '^(?:PYTHON|PERL|RUBY|PHP|_JAVA)',
    '^(?:PSModulePath|ENV|ZDOTDIR|FPATH|PATH|IFS|PS4|SHELLOPTS|PROMPT_COMMAND|GLIBC_TUNABLES|LOCPATH)$',
    '^$|[=\\0]',
  ].join('|'),
  'i',
);

/** The directories for a script. */
export interface ScriptPlace {
  /** The directory with the files of its skill. */
  readonly skill: string;
  /** Its home, which is also its working directory if no other is given. */
  readonly home: string;
}

/**
 * Creates a runner without a sandbox: a script can do whatever this process can. Use it for skills that you trust.
 *
 * Copies the files of the plan into a new directory, so that later changes are never run. Ends all processes of the script with
 * it, except those that left its process group, and on Windows, unless the script is ended early, those that still run after it.
 *
 * @throws {SkillError} `options-invalid` if `environment` has a variable that makes programs load code, a limit is not a number
 * from 0, or an option is unknown
 */
export function processRunner(options: ProcessRunnerOptions = {}): ScriptRunner {
  checkKeys('options', options, runnerOptions);
  const directory = workDirectory(options);
  return createRunner(options, programDirectories(), ([program, ...words], script, { skill, home }) => ({
    program,
    arguments: [...words, join(skill, script)],
    directory: directory ?? home,
    environment: { ...environmentFor(home, skill), PATH: programDirectories().join(delimiter) },
  }));
}

/**
 * Returns the absolute path of the working directory, if one is given.
 *
 * @throws {SkillError} `options-invalid` if it is empty, because that would mean the directory of this process
 */
export function workDirectory({ directory }: ProcessRunnerOptions): string | undefined {
  if (directory === '') throw invalidOption('The path `directory` is empty.');
  return directory === undefined ? undefined : resolve(directory);
}

/** A program by its absolute path, and its options. */
type Interpreter = readonly [program: string, ...options: readonly string[]];

/**
 * Creates a runner that finds programs in these directories and builds commands with `commandFor`. The arguments of the script
 * are appended.
 */
export function createRunner(
  options: ProcessRunnerOptions,
  programs: readonly string[],
  commandFor: (interpreter: Interpreter, script: string, place: ScriptPlace) => Command,
  sandbox?: string,
): ScriptRunner {
  const { environment = {}, timeout = 60_000, maxOutput = 65_536 } = options;
  checkAmounts({ timeout });
  checkCounts({ maxOutput });
  const refused = Object.keys(environment).find((name) => loading.test(name));
  if (refused !== undefined) {
    throw invalidOption(`\`environment\` has \`${refused}\`, which can make a program load code.`);
  }
  return {
    sandbox,
    async run(plan, { signal, onOutput } = {}) {
      // Loaded only now, because most programs never run a script.
      const { runCommand } = await import('./run-command.ts');
      signal?.throwIfAborted();
      checkArguments(plan.path, plan.arguments);
      const { name, options: written } = interpreterOf(plan.path, plan.files.get(plan.path));
      const interpreter = findProgram(name, programs);
      if (interpreter === undefined) throw cannotRun(plan.path, `\`${name}\` is not installed`);
      const base = makeRunDirectory();
      try {
        const place = layOut(base, plan);
        // Node uses the nearest `package.json` at or above a script, so an empty one keeps it from finding others.
        if (interpreter === findProgram('node', [])) writeFileSync(join(base, 'package.json'), '{}');
        const command = commandFor([interpreter, ...optionsFor(interpreter, written)], plan.path, place);
        const all = {
          ...command,
          arguments: [...command.arguments, ...plan.arguments],
          environment: { ...command.environment, ...withoutUndefined(environment) },
        };
        const result = await runCommand(all, { input: plan.input, timeout, maxOutput, signal, onOutput });
        const deleted = options.directory === undefined ? namesIn(place.home) : [];
        return deleted.length === 0 ? result : { ...result, deleted };
      } finally {
        await removeRunDirectory(base);
      }
    },
  };
}

const maxDeleted = 100;

/** Returns names in a directory, without hidden ones, in which programs have their caches; none if it cannot be read. */
function namesIn(directory: string): readonly string[] {
  const names: string[] = [];
  try {
    for (const { name } of entriesIn(opendirSync(directory))) {
      if (!name.startsWith('.') && !(process.platform === 'win32' && name === profile)) names.push(name);
      if (names.length === maxDeleted) break;
    }
  } catch {
    // The script may have deleted or locked it.
  }
  return names.sort();
}

/** Returns the variables that every script gets. Only a language in UTF-8 is passed on, because the output is read as UTF-8. */
export function environmentFor(home: string, skill: string): Record<string, string> {
  const { LANG = '' } = process.env;
  const all = { HOME: home, TMPDIR: home, LANG: /utf-?8/i.test(LANG) ? LANG : 'C.UTF-8', SKILL_DIR: skill };
  return process.platform === 'win32' ? { ...all, ...windowsVariables(home) } : all;
}

/** Where programs on Windows keep settings and caches in a home. */
const profile = 'AppData';

/**
 * Returns what replaces `HOME` and `TMPDIR` on Windows. Node would set most of these variables to those of this process, and lead
 * scripts into the user's real home.
 */
function windowsVariables(home: string): Record<string, string> {
  const { PATHEXT } = process.env;
  return {
    ...{ USERPROFILE: home, HOMEDRIVE: home.slice(0, 2), HOMEPATH: home.slice(2), TEMP: home, TMP: home },
    ...{ APPDATA: join(home, profile, 'Roaming'), LOCALAPPDATA: join(home, profile, 'Local') },
    ...(PATHEXT === undefined ? {} : { PATHEXT }),
  };
}

/** Copies the files of a plan. Only this user can read the copies. Scripts may start each other, so they are executable. */
function layOut(base: string, { files }: ScriptPlan): ScriptPlace {
  const place = { skill: join(base, 'skill'), home: join(base, 'home') };
  mkdirSync(place.home);
  // Otherwise, some programs would take the working directory instead.
  if (process.platform === 'win32') {
    for (const name of ['Roaming', 'Local']) mkdirSync(join(place.home, profile, name), { recursive: true });
  }
  for (const [path, content] of files) {
    const file = join(place.skill, ...checkListed(path));
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { flag: 'wx', mode: isProgram(content) ? 0o700 : 0o600 });
    } catch (error) {
      // On this disk, two names may be the same, or a name may be too long.
      throw new SkillError('script-unsupported', `A file could not be copied${showCode(error)}.`, { cause: error });
    }
  }
  return place;
}
