// Finds the directories to which a client writes new skills.

import { readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SkillError } from '../../skill/error.ts';
import { checkChoice } from '../../skill/options.ts';
import { resolveRoot } from '../discovery/root.ts';
import { isBelow, upwardsFrom } from '../disk/contained-file.ts';
import { isLink, nodeFileSystem } from '../disk/file-system.ts';
import { canonicalPath, findProject } from '../environment/project.ts';
import {
  checkClientName,
  expandPath,
  findUserDirectories,
  ownVariable,
  pathsOf,
  type UserDirectories,
  type UserDirectoriesOptions,
} from '../environment/user-directories.ts';

export interface OwnDirectoryOptions extends UserDirectoriesOptions {
  /** @default 'skillful' */
  readonly name?: string | undefined;
  /** @default process.cwd() */
  readonly cwd?: string | undefined;
}

/**
 * Returns the directory of the client's own skills: `<project>/.<name>/skills`; or for the user, the first directory in
 * `<NAME>_SKILLS_DIR`, else `<config>/<name>/skills`.
 *
 * @throws {SkillError} `skill-protected` if the project's directory leads out of the project through a link; `options-invalid` if
 * the scope or the name is not valid
 */
export function ownSkillsDirectory(scope: 'user' | 'project', options: OwnDirectoryOptions = {}): string {
  checkChoice('scope', scope, ['user', 'project']);
  const { name = 'skillful', cwd = process.cwd() } = options;
  checkClientName(name);
  if (scope === 'user') return ownUserDirectory(name, cwd, findUserDirectories(options));
  const { root } = findProject(cwd);
  const directory = join(root, `.${name}`, 'skills');
  if (isBelow(root, finalPath(directory))) return directory;
  throw new SkillError(
    'skill-protected',
    `\`.${name}/skills\` is a link out of the project, so nothing was written. Remove the link, or work in the directory it leads to.`,
  );
}

/** Finds the directory that is searched, because elsewhere no new skill would be found. */
function ownUserDirectory(name: string, cwd: string, user: UserDirectories): string {
  const [given] = pathsOf(ownVariable(name), user, cwd);
  if (given === undefined) return join(user.config, name, 'skills');
  const path = expandPath(given, cwd, user.home);
  const root = resolveRoot(nodeFileSystem, path, { source: path, skillsChild: true });
  return 'problem' in root ? path : root.directory;
}

/** Returns where a write would land: the path without links, or the target of a broken link. */
function finalPath(path: string): string {
  const real = canonicalPath(path);
  const link = upwardsFrom(real).find((each) => isLink(nodeFileSystem, each));
  return link === undefined ? real : resolve(dirname(link), readlinkSync(link));
}
