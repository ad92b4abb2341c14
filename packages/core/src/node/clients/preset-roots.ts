// Finds the directories that a client searches for skills, and gives each a label for the id of its source.

import { join, relative, sep } from 'node:path';
import { showText } from '../../diagnostics/diagnostic.ts';
import { invalidOption } from '../../skill/options.ts';
import type { SkillScope } from '../../skill/source.ts';
import { isAtOrBelow, isBelow, pathBelow } from '../disk/contained-file.ts';
import { canonicalPath, type Project } from '../environment/project.ts';
import {
  expandPath,
  findUserDirectories,
  isRelative,
  pathsOf,
  type UserDirectories,
  type UserDirectoriesOptions,
} from '../environment/user-directories.ts';
import { type ClientDirectories, expandRoot, findClientDirectories } from './client-directories.ts';
import type { ClientLayout } from './layouts.ts';

/** A directory that a client searches. */
export interface Root {
  readonly path: string;
  /** Short name for the id of its source. */
  readonly label: string;
  readonly scope: SkillScope;
  readonly trusted: boolean;
  /** False for directories of the table: they are searched themselves even if they have a child `skills`. */
  readonly skillsChild?: boolean;
  /** Whether the directory may lead out of the project when it is read. */
  readonly allowExternal?: boolean;
  /** Whether the application named it, so that it is reported if it is missing. */
  readonly isNamed?: boolean;
}

/** The directories that an application configures in addition to those of the client. */
export interface PlanRootsOptions extends UserDirectoriesOptions {
  /** @default process.cwd() */
  readonly cwd?: string | undefined;
  /** Further roots of the project: relative to the working directory, absolute, or with `~`. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Accepts `paths` outside the project. By default, each of them gets a diagnostic.
   * @default false
   */
  readonly allowExternalPaths?: boolean | undefined;
  /** Roots that ship with the application: absolute, or with `~`. They lose to everything except synced skills. */
  readonly builtin?: readonly string[] | undefined;
}

/** Lists the directories to search, highest precedence first. */
export function planRoots(
  layout: ClientLayout,
  project: Project,
  trusted: boolean,
  options: PlanRootsOptions,
): readonly Root[] {
  const user = findUserDirectories(options);
  const ofClients = findClientDirectories(user, options);
  const ofTable = (paths: readonly string[], scope: SkillScope) => tableRoots(paths, user, scope, ofClients);
  const named = (variable: string) => namedRoots(variable, user, options.cwd ?? process.cwd(), trusted);
  const replacing = layout.replacedBy === undefined ? [] : named(layout.replacedBy);
  const usual = replacing.length > 0 ? replacing : ofTable(layout.user, 'user');
  const ofUser = [...usual, ...(layout.addedBy ?? []).flatMap(named)];
  const ofProject = [...projectRoots(layout, project, trusted), ...configuredRoots(project, user, trusted, options)];
  const narrowestFirst = [ofProject, ofUser, ofTable(layout.admin, 'admin')];
  const ordered = layout.order === 'user-first' ? narrowestFirst.reverse() : narrowestFirst;
  const roots = [
    ...ordered.flat(),
    ...ofTable(layout.plugins, 'plugin'),
    ...(options.builtin ?? []).map((path) => builtinRoot(path, user)),
    ...ofTable(layout.synced, 'synced'),
  ];
  return withoutDuplicates(roots, new Set(ofUser.map(({ path }) => canonicalPath(path))));
}

/** Returns the directories of a project: in the working directory and, if the client searches them, in the directories above. */
function projectRoots(layout: ClientLayout, project: Project, trusted: boolean): readonly Root[] {
  const directories = layout.ancestors ? project.directories : project.directories.slice(0, 1);
  return directories.flatMap((directory) =>
    layout.project.map((family) => {
      const path = join(directory, family);
      return { ...skillsRoot(path, labelIn(project, path), 'project'), skillsChild: false, trusted };
    }),
  );
}

/** Returns the path of a directory relative to the project, so that it is the same on each machine. */
function labelIn({ root }: Project, path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Returns the directories in a variable of the user. */
function namedRoots(variable: string, user: UserDirectories, cwd: string, trusted: boolean): readonly Root[] {
  return pathsOf(variable, user, cwd).map((given) => {
    const root = userRoot(expandPath(given, cwd, user.home), user, 'user');
    return isRelative(given) ? { ...root, trusted } : root;
  });
}

function builtinRoot(path: string, { home }: UserDirectories): Root {
  if (!isRelative(path)) return skillsRoot(expandPath(path, home, home), path, 'builtin');
  const expected = "expected absolute paths, such as `join(import.meta.dirname, 'skills')`";
  throw invalidOption(`\`builtin\` has \`${showText(path)}\`; ${expected}.`);
}

function tableRoots(
  paths: readonly string[],
  user: UserDirectories,
  scope: SkillScope,
  ofClients: ClientDirectories,
): readonly Root[] {
  const expanded = paths.map((path) => expandRoot(path, user.home, ofClients)).filter((path) => path !== undefined);
  return expanded.map((path) => ({ ...userRoot(path, user, scope), skillsChild: false }));
}

/** Returns the configured directories. Their sources refuse to leave the project unless that is allowed. */
function configuredRoots(
  project: Project,
  user: UserDirectories,
  trusted: boolean,
  { paths = [], allowExternalPaths = false, cwd = process.cwd() }: PlanRootsOptions,
): readonly Root[] {
  return paths.map((given) => {
    const path = expandPath(given, cwd, user.home);
    const isInside = isAtOrBelow(project.root, canonicalPath(path));
    const label = isInside ? labelIn(project, path) : path;
    return { ...skillsRoot(path, label, 'project'), trusted, allowExternal: allowExternalPaths, isNamed: true };
  });
}

/** Creates a root with a label that is relative to the user's home if possible. */
function userRoot(path: string, { home }: UserDirectories, scope: SkillScope): Root {
  const label = isBelow(home, path) ? `~/${pathBelow(home, path)}` : path;
  return skillsRoot(path, label, scope);
}

function skillsRoot(path: string, label: string, scope: SkillScope): Root {
  return { path, label: `${scope}:${label}`, scope, trusted: true };
}

/** Keeps the first root of each real path. A user directory keeps its scope even if the project contains it, too. */
function withoutDuplicates(roots: readonly Root[], ofUser: ReadonlySet<string>): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter((root) => {
    const real = canonicalPath(root.path);
    if (seen.has(real) || (root.scope === 'project' && ofUser.has(real))) return false;
    seen.add(real);
    return true;
  });
}
