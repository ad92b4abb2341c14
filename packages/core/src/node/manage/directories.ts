// Finds the directories to which a client writes new skills.

import { readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SkillError } from '../../skill/error.ts';
import { isBelow } from '../disk/contained-file.ts';
import { isLink, nodeFileSystem } from '../disk/file-system.ts';
import { canonicalPath, findProject } from '../environment/project.ts';
import { findUserDirectories, type UserDirectoriesOptions } from '../environment/user-directories.ts';

export interface OwnDirectoryOptions extends UserDirectoriesOptions {
  /** @default 'skillful' */
  readonly name?: string | undefined;
  /** @default process.cwd() */
  readonly cwd?: string | undefined;
}

/**
 * Returns the directory of the client's own skills: `<config>/<name>/skills` or `<project>/.<name>/skills`.
 *
 * @throws {SkillError} `skill-protected` if the project's directory leads out of the project through a link
 */
export function ownSkillsDirectory(scope: 'user' | 'project', options: OwnDirectoryOptions = {}): string {
  const { name = 'skillful', cwd = process.cwd() } = options;
  if (scope === 'user') return join(findUserDirectories(options).config, name, 'skills');
  const { root } = findProject(cwd);
  const directory = join(root, `.${name}`, 'skills');
  if (isBelow(root, finalPath(directory))) return directory;
  throw new SkillError(
    'skill-protected',
    `\`.${name}/skills\` is a link out of the project, so nothing was written. Remove the link, or work in the directory it leads to.`,
  );
}

/** Returns where a write would land: the path without links, or the target of a broken link. */
function finalPath(path: string): string {
  const real = canonicalPath(path);
  for (let current = real; dirname(current) !== current; current = dirname(current)) {
    if (isLink(nodeFileSystem, current)) return resolve(dirname(current), readlinkSync(current));
  }
  return real;
}
