// Chooses the sources of a command: the roots that it names, else the directories of a client.

import { opendirSync } from 'node:fs';
import { SkillError, type SkillSource } from '@skillful/core';
import { clientPreset, fileSource, type Settings } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { resolvePath } from '../paths.ts';
import { reasonOf } from '../system-reason.ts';
import { loadConfiguration } from './configuration.ts';
import type { SkillOptions } from './options.ts';

/**
 * Chooses the sources, first in precedence first. A root that a user names is trusted.
 *
 * @throws {SkillError} `source-failed` where a directory that was named cannot be read
 */
export async function chooseSources(
  options: SkillOptions,
  { trustedProjects }: Pick<Settings, 'trustedProjects'>,
  io: CommandLine,
): Promise<readonly SkillSource[]> {
  const { client, depth, root: roots, trust } = options;
  const cwd = workingDirectory(options, io);
  if (roots.length === 0) {
    const configured = loadConfiguration(cwd, io);
    return clientPreset(client ?? configured.client, {
      cwd,
      depth: depth ?? configured.depth,
      ancestors: configured.ancestors,
      paths: configured.paths,
      trusted: trust === true || trustedProjects,
      // Whoever says so for this very call has looked; a stored decision does not cover what others did to it since.
      allowUnsafeRoots: trust === true,
      environment: io.environment,
    });
  }
  return roots.map((root) => {
    const path = resolvePath(root, cwd, io);
    assertReadable('--root', root, path);
    return fileSource(path, { id: path, depth });
  });
}

/**
 * Finds the directory that a command works in.
 *
 * @throws {SkillError} `source-failed`
 */
export function workingDirectory({ cwd }: Pick<SkillOptions, 'cwd'>, io: CommandLine): string {
  if (cwd === undefined) return io.cwd;
  const path = resolvePath(cwd, io.cwd, io);
  assertReadable('--cwd', cwd, path);
  return path;
}

function assertReadable(option: string, given: string, path: string): void {
  try {
    opendirSync(path).closeSync();
  } catch (cause) {
    const message = `\`${option} ${given}\` cannot be read: ${reasonOf(cause)}. Name a directory that you can read.`;
    throw new SkillError('source-failed', message, { cause });
  }
}
