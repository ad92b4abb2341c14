// Plans the run of a bundled script with the exact bytes of all files, so that what runs is what was approved.

import { SkillError } from '../skill/error.ts';
import { listFiles } from '../skill/files.ts';
import { checkKeys, checkTextLists, checkTexts } from '../skill/options.ts';
import { checkResourcePath, findListed } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { ListFilesOptions, SourceOptions } from '../skill/source.ts';
import { readContents } from './contents.ts';

/** A script to run, with all files of its skill that it may use. */
export interface ScriptPlan {
  /** The name of the skill. */
  readonly skill: string;
  /** Path of the script in the skill, below `scripts/`. */
  readonly path: string;
  readonly arguments: readonly string[];
  /** Standard input; empty if absent. */
  readonly input?: string | undefined;
  /** All files of the skill by path, `SKILL.md` included, except those that a policy hides from scripts. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `sha256:` and 64 hexadecimal digits: changes whenever any file of the skill does. */
  readonly digest: string;
}

/** A piece of a script's output. */
export interface ScriptPiece {
  readonly stream: 'output' | 'errors';
  readonly text: string;
}

export interface RunScriptOptions extends SourceOptions {
  /** `about` of the call, such as the id of the conversation as `thread`. */
  readonly about?: Readonly<Record<string, string | undefined>> | undefined;
  /** What the framework knows about the request, such as a tenant or a user. */
  readonly request?: unknown;
  /** Called with output while the script runs. If it throws, the run rejects with that error. */
  readonly onOutput?: ((piece: ScriptPiece) => void) | undefined;
}

/** The result of a script. */
export interface ScriptResult {
  /** Absent if a signal ended the script; some sandboxes, such as bubblewrap, report 128 plus its number instead. */
  readonly exitCode?: number | undefined;
  /** Standard output; if it is too long, only its beginning and its end. The same applies to the errors. */
  readonly output: string;
  readonly errors: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** True if the script was ended because it had too many processes. */
  readonly tooManyProcesses?: boolean | undefined;
  /** Names of what the script left in its working directory, if that is deleted. The model is told. */
  readonly deleted?: readonly string[] | undefined;
}

/**
 * Runs scripts of skills. An implementation must pass arguments literally, run only the bytes of the plan, and end every process
 * that it started.
 */
export interface ScriptRunner {
  /** Name of the sandbox, such as `bubblewrap`; absent if a script can do whatever this process can. */
  readonly sandbox?: string | undefined;
  /** Rejects if the script cannot be started, or with the reason of the signal. */
  run(plan: ScriptPlan, options?: RunScriptOptions): Promise<ScriptResult>;
}

/** The script to run, and its input. */
export interface ScriptCall {
  readonly path: string;
  readonly arguments?: readonly string[] | undefined;
  readonly input?: string | undefined;
}

/**
 * Reads all files of a skill, at most 32 MiB, to run one of its scripts.
 *
 * @throws {SkillError} `resource-unknown` if there is no such file below `scripts/`; `resource-outside-skill`;
 * `resource-too-large`; `resource-unreadable`; `options-invalid` if an option is unknown, or an argument has the wrong type
 */
export async function loadScriptPlan(
  skill: Skill,
  call: ScriptCall,
  options: ListFilesOptions = {},
): Promise<ScriptPlan> {
  checkKeys('options', options, ['signal', 'checkPath']);
  const { signal, checkPath } = options;
  const { arguments: words = [], input } = call;
  checkTextLists({ arguments: words });
  if (input !== undefined) checkTexts({ input });
  const given = checkResourcePath(call.path).join('/');
  const { path, known } = await findScript(skill, given, { signal, checkPath });
  const { files: all, digest } = await readContents(skill, { signal });
  // A cache may have listed the files earlier.
  if (!all.has(path)) throw unknownScript(skill, given);
  const files = new Map([...all].filter(([each]) => known.has(each)));
  return { skill: skill.name, path, arguments: words, input, files, digest };
}

/**
 * Finds a script, and all files of its skill that it may know.
 *
 * @throws {SkillError} `resource-unknown`, `resource-unreadable`
 */
export async function findScript(
  skill: Skill,
  given: string,
  options: ListFilesOptions,
): Promise<{ readonly path: string; readonly known: ReadonlySet<string> }> {
  const { files } = await listFiles(skill, options);
  const known = new Set(['SKILL.md', ...files.map((file) => file.path)]);
  const path = findListed(given, [...known]);
  if (path?.startsWith('scripts/') !== true) throw unknownScript(skill, given);
  return { path, known };
}

/** Creates the error for a script that a skill does not have. */
export function unknownScript({ name }: Skill, path: string): SkillError {
  return new SkillError('resource-unknown', `\`${name}\` has no script \`${path}\`. Scripts are below \`scripts/\`.`);
}
