// Chooses the sources of a command: the given roots, or else the directories of a client.

import { existsSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { type Diagnostic, definePolicy, SkillError, type SkillPolicy, type SkillSource } from '@skillful/core';
import { createDiagnostic } from '@skillful/core/authoring';
import {
  clientPreset,
  expandPath,
  fileSource,
  findProject,
  findUserDirectories,
  isTrustedProject,
  packageSources,
  type Settings,
  type TrustOption,
} from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { type Configuration, loadConfiguration, type RunnerName } from './configuration.ts';
import type { SkillOptions } from './options.ts';

/** The sources of a command, and diagnostics about the configuration. */
export interface ChosenSources {
  readonly sources: readonly SkillSource[];
  /** The policy of the configuration, or else the default policy. */
  readonly policy: SkillPolicy;
  /** The runner of the configuration. */
  readonly runner?: RunnerName | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Chooses the sources, highest precedence first. A root that the user names is trusted.
 *
 * @throws {SkillError} `source-failed` if a given directory cannot be read
 */
export async function chooseSources(
  options: SkillOptions,
  settings: Pick<Settings, 'trustedProjects'>,
  io: CommandLine,
): Promise<ChosenSources> {
  const cwd = workingDirectory(options, io);
  const trusted = options.trust === true || settings.trustedProjects;
  const configured = await loadConfiguration(cwd, options.trust === true, settings, io);
  const { policy = definePolicy(), runner, diagnostics } = configured;
  const hasRoots = options.root.length > 0;
  const sources = hasRoots ? openRoots(options, cwd, io) : await openPreset(options, configured, cwd, trusted, io);
  // Roots replace the places of the configuration, but not its policy.
  const isWithPackages = options.packages ?? (!hasRoots && configured.packages === true);
  const found = isWithPackages ? await findPackages(cwd, trusted) : { sources: [], diagnostics: [] };
  return {
    ...{ policy, runner },
    sources: [...sources, ...found.sources],
    diagnostics: [...diagnostics, ...found.diagnostics],
  };
}

function openRoots({ root: roots, depth }: SkillOptions, cwd: string, io: CommandLine): readonly SkillSource[] {
  return roots.map((root) => {
    const path = resolvePath(root, cwd, io);
    assertReadable('`--root`', root, path);
    return fileSource(path, { id: path, depth });
  });
}

function openPreset(
  { client, depth, trust }: SkillOptions,
  configured: Configuration,
  cwd: string,
  trusted: TrustOption,
  io: CommandLine,
): Promise<readonly SkillSource[]> {
  const { ancestors, paths } = configured;
  return clientPreset(client ?? configured.client, {
    cwd,
    depth: depth ?? configured.depth,
    ancestors,
    paths,
    trusted,
    // With `--trust`, the user has reviewed the project now. A stored decision does not cover later changes by others.
    allowUnsafe: trust === true,
    environment: io.environment,
  });
}

/** Finds the npm packages with skills. Opens nothing in an untrusted project, which can contain packages of its own. */
async function findPackages(
  cwd: string,
  trusted: TrustOption,
): Promise<Pick<ChosenSources, 'sources' | 'diagnostics'>> {
  const project = findProject(cwd);
  if (await isTrustedProject(project.root, trusted)) return { sources: await packageSources({ cwd }), diagnostics: [] };
  const places = project.directories.map((directory) => join(directory, 'node_modules')).filter(existsSync);
  const withheld = places.map((place) =>
    createDiagnostic('source-untrusted', { source: 'packages', location: place }, { place }),
  );
  return { sources: [], diagnostics: withheld };
}

/**
 * Finds the directory in which a command works.
 *
 * @throws {SkillError} `source-failed`
 */
export function workingDirectory({ cwd }: Pick<SkillOptions, 'cwd'>, io: CommandLine): string {
  if (cwd === undefined) return io.cwd;
  const path = resolvePath(cwd, io.cwd, io);
  assertReadable('`--cwd`', cwd, path);
  return path;
}

/**
 * Resolves a path against a directory. A leading `~` is the home directory.
 *
 * @throws {SkillError} `options-invalid` if the path is empty, usually because a variable in a script is empty, or contains NUL
 */
export function resolvePath(path: string, directory: string, { environment }: CommandLine): string {
  if (path === '') {
    throw new SkillError('options-invalid', 'The path is empty. For the working directory, write `.`.');
  }
  if (path.includes('\0')) {
    throw new SkillError('options-invalid', `The path \`${path}\` contains a NUL character, which no path has.`);
  }
  return expandPath(path, directory, findUserDirectories({ environment }).home);
}

/**
 * Checks that a directory can be read.
 *
 * @throws {SkillError} `source-failed`, with the advice to check `origin`
 */
export function assertReadable(origin: string, given: string, path: string): void {
  try {
    opendirSync(path).closeSync();
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const words = isMissing ? 'does not exist' : `cannot be read: ${reasonOf(cause)}`;
    throw new SkillError('source-failed', `Directory \`${given}\` ${words}. Check ${origin}.`, { cause });
  }
}

/** Returns why the system refused a path, without the path. Rethrows any other error. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
    return getSystemErrorMessage(error.errno);
  }
  throw error;
}
