// Plans the run of a bundled script: its exact bytes and those of all other files, so that what was judged is what runs.

import { SkillError } from '../skill/error.ts';
import { listFiles } from '../skill/files.ts';
import { checkResourcePath } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { ListFilesOptions, SourceOptions } from '../skill/source.ts';
import { readContents } from './contents.ts';

/** A script to run, with everything that it may need of its skill. */
export interface ScriptPlan {
  /** The name of the skill. */
  readonly skill: string;
  /** Path of the script in the skill, below `scripts/`. */
  readonly path: string;
  readonly arguments: readonly string[];
  /** Standard input; nothing to read if absent. */
  readonly input?: string | undefined;
  /** All files of the skill by path, `SKILL.md` included, without those that a script must not have. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `sha256:` and 64 hexadecimal digits: changes whenever any file of the skill does. */
  readonly digest: string;
}

/** Something that a script wrote. */
export interface ScriptPiece {
  readonly stream: 'output' | 'errors';
  readonly text: string;
}

export interface RunScriptOptions extends SourceOptions {
  /** Receives what the script writes, as it writes it. If it throws, the run rejects with that. */
  readonly onOutput?: ((piece: ScriptPiece) => void) | undefined;
}

/** The result of a script. */
export interface ScriptResult {
  /** Absent if a signal ended the script. */
  readonly exitCode?: number | undefined;
  /** Standard output and errors, each cut to its beginning and its end if it was too long. */
  readonly output: string;
  readonly errors: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** The script was ended because it had more processes than it may. */
  readonly tooManyProcesses?: boolean | undefined;
}

/**
 * Runs scripts of skills. An implementation passes arguments literally, runs the bytes of the plan and no others, and ends every
 * process that it started.
 */
export interface ScriptRunner {
  /** Says what a script cannot reach, such as `bubblewrap`; absent if it can do whatever this process can. */
  readonly sandbox?: string | undefined;
  /** Rejects if the script cannot be started, or with the reason of the signal. */
  run(plan: ScriptPlan, options?: RunScriptOptions): Promise<ScriptResult>;
}

/** What to run. */
export interface ScriptCall {
  readonly path: string;
  readonly arguments?: readonly string[] | undefined;
  readonly input?: string | undefined;
}

/**
 * Reads all files of a skill, 32 MiB at most, to run one of its scripts.
 *
 * @throws {SkillError} `resource-unknown` if there is no such file below `scripts/`; `resource-outside-skill`;
 * `resource-too-large`; `resource-unreadable`
 */
export async function planScript(
  skill: Skill,
  call: ScriptCall,
  { signal, checkPath }: ListFilesOptions = {},
): Promise<ScriptPlan> {
  const path = checkResourcePath(call.path).join('/');
  const { files: listed } = await listFiles(skill, { signal, checkPath });
  const known = new Set(['SKILL.md', ...listed.map((file) => file.path)]);
  if (!path.startsWith('scripts/') || !known.has(path)) throw unknownScript(skill, path);
  const { files: all, digest } = await readContents(skill, { signal });
  const files = new Map([...all].filter(([each]) => known.has(each)));
  const { arguments: given = [], input } = call;
  return { skill: skill.name, path, arguments: given, input, files, digest };
}

/** Creates the error for a script that a skill does not have. */
export function unknownScript({ name }: Skill, path: string): SkillError {
  return new SkillError('resource-unknown', `\`${name}\` has no script \`${path}\`. Scripts are below \`scripts/\`.`);
}
