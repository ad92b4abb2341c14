// Loads the options that a project sets for everyone who works in it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, definePolicy, type SkillPolicy } from '@skillful/core';
import { createDiagnostic } from '@skillful/core/authoring';
import {
  type ClientName,
  clientLayouts,
  expandPath,
  findProject,
  findUserDirectories,
  isClientName,
  isTrustedProject,
  readSmallText,
  type Settings,
} from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { readPolicy } from './policy.ts';

/** The options of a project. A project cannot make itself trusted. */
export interface Configuration {
  readonly client?: ClientName | undefined;
  readonly depth?: number | undefined;
  /** Whether the directories above the working directory are also searched. */
  readonly ancestors?: boolean | undefined;
  /** Further directories with skills, as absolute paths. */
  readonly paths?: readonly string[];
  /** Whether the skills of installed npm packages are also used. */
  readonly packages?: boolean | undefined;
  /** The runner for scripts. */
  readonly runner?: RunnerName | undefined;
  /** Who may do what. `doctor` shows it; `prompt`, `search` and `run` follow it. */
  readonly policy?: SkillPolicy | undefined;
  /** Why a configuration was ignored. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The runners that a configuration or an option can name. */
export const runnerNames = ['bubblewrap', 'process'] as const;

/** One of them. */
export type RunnerName = (typeof runnerNames)[number];

/** The path of the configuration, below the working directory or the nearest directory above it, up to the git root. */
export const configurationFile: string = join('.skillful', 'config.json');

/** Bytes of the longest configuration that is read; longer ones are ignored. */
const maxBytes = 64 * 1024;

/**
 * Loads the configuration for a directory. Does not open that of an untrusted project. Ignores an invalid one, or a link, with a
 * diagnostic; if it may name a policy, models are then offered nothing.
 */
export async function loadConfiguration(
  cwd: string,
  trust: boolean,
  { trustedProjects }: Pick<Settings, 'trustedProjects'>,
  io: CommandLine,
): Promise<Configuration> {
  const project = findProject(cwd);
  const isTrusted = await isTrustedProject(project.root, trust || trustedProjects);
  for (const directory of project.directories) {
    const location = join(directory, configurationFile);
    if (!isTrusted) {
      if (!existsSync(location)) continue;
      const site = { source: 'project', location };
      return { diagnostics: [createDiagnostic('source-untrusted', site, { place: location })] };
    }
    const read = readSmallText(location, maxBytes, { within: directory, allowUnsafe: trust });
    if (read === undefined) continue;
    const parsed = 'problem' in read ? read.problem : parseConfiguration(read.text, directory, { trust, io });
    if (typeof parsed !== 'string') return { ...parsed, diagnostics: [] };
    const site = { source: 'project', location };
    const problem = createDiagnostic('configuration-invalid', site, { reason: parsed });
    if (!('problem' in read) && namesNoPolicy(read.text)) return { diagnostics: [problem] };
    const hint = `${problem.hint} Until then, the model gets no skill, because it may name a policy.`;
    return { policy: denyAll, diagnostics: [{ ...problem, severity: 'error', hint }] };
  }
  return { diagnostics: [] };
}

/** Applies if a policy cannot be read, because it may deny any skill. */
const denyAll: SkillPolicy = definePolicy({
  rules: [{ effect: 'deny', reason: 'the policy of this project cannot be read' }],
});

/** The options that choose no policy. */
const otherOptions = ['client', 'depth', 'ancestors', 'paths', 'packages', 'runner'];

/** Checks whether a configuration, valid or not, certainly has no policy. An unknown option may be a misspelt `policy`. */
function namesNoPolicy(text: string): boolean {
  const value = parseJson(text);
  return isObject(value) && Object.keys(value).every((key) => otherOptions.includes(key));
}

/** Parses a configuration. Returns its options, or a text about what is wrong. */
function parseConfiguration(
  text: string,
  directory: string,
  { trust, io }: { readonly trust: boolean; readonly io: CommandLine },
): Omit<Configuration, 'diagnostics'> | string {
  const { home } = findUserDirectories({ environment: io.environment });
  const value = parseJson(text);
  if (value === undefined) return 'it is not JSON';
  if (!isObject(value)) return 'it must be a JSON object';
  const known = [...otherOptions, 'policy'];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    return `\`${unknown}\` is unknown; expected ${known.map((key) => `\`${key}\``).join(', ')}`;
  const { client, depth, ancestors, paths = [], packages, runner, policy: policyPath } = value;
  if (client !== undefined && !(typeof client === 'string' && isClientName(client)))
    return `\`client\` must be one of ${clients}`;
  if (depth !== undefined && !(typeof depth === 'number' && Number.isSafeInteger(depth) && depth >= 1))
    return '`depth` must be a whole number of at least 1';
  if (!isFlag(ancestors)) return '`ancestors` must be `true` or `false`';
  if (!isFlag(packages)) return '`packages` must be `true` or `false`';
  if (!isTexts(paths)) return '`paths` must be a list of paths';
  if (!isRunner(runner)) return `\`runner\` must be one of ${runnerNames.join(', ')}`;
  if (policyPath !== undefined && typeof policyPath !== 'string') return '`policy` must be a path';
  const policy = policyPath === undefined ? undefined : readPolicy(policyPath, directory, trust);
  if (typeof policy === 'string') return policy;
  return {
    ...{ policy, client, depth, ancestors, packages, runner },
    paths: paths.map((given) => expandPath(given, directory, home)),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Without backticks, because a diagnostic shortens its values to 120 characters.
const clients = [...Object.keys(clientLayouts), 'all'].join(', ');

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean';
}

function isRunner(value: unknown): value is RunnerName | undefined {
  return value === undefined || runnerNames.some((name) => name === value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
