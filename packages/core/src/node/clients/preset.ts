// Turns a client's row of the table into sources, in the order in which they win.

import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { SkillError } from '../../skill/error.ts';
import type { SkillSource } from '../../skill/source.ts';
import { fileSource } from '../discovery/file-source.ts';
import { canonicalPath, findProject, mayBeThere } from '../environment/project.ts';
import { decideTrust, type TrustOption } from '../environment/trust.ts';
import { expandPath, findUserDirectories, type UserDirectoriesOptions } from '../environment/user-directories.ts';
import { type ClientLayout, type ClientName, clientLayouts, isClientName, layoutOf } from './layouts.ts';
import { pluginSource } from './plugin-source.ts';
import {
  configuredRoots,
  expandRoot,
  projectRoots,
  type Root,
  skillsRoot,
  userRoot,
  userRoots,
  withoutDuplicates,
} from './preset-roots.ts';

export interface ClientPresetOptions extends UserDirectoriesOptions {
  /**
   * Name of your own client: `.<name>/skills` and `<config>/<name>/skills` come first within their level, whatever the
   * layout, and `<NAME>_SKILLS_DIR` replaces the user's directories.
   * @default 'skillful' in the layout of that name, else none
   */
  readonly name?: string | undefined;
  /** @default process.cwd() */
  readonly cwd?: string | undefined;
  /**
   * Looks in the directories above the working directory, too.
   * @default as the client does
   */
  readonly ancestors?: boolean | undefined;
  /**
   * Where the walk up from the working directory ends; without effect where the client does not walk up.
   * @default 'git'
   */
  readonly stopAt?: 'git' | 'root' | undefined;
  /**
   * Who wins a name, where it should not be as the client has it: the project over the user and the machine, or the machine
   * over the user and the project.
   * @default the client's own order
   */
  readonly order?: 'project-first' | 'user-first' | undefined;
  /**
   * Directories from a root down to a skill.
   * @default the client's own depth
   */
  readonly depth?: number | undefined;
  /** Further roots of the project: relative to the working directory, absolute, or with `~`. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Accepts `paths` outside the project; otherwise each is a diagnostic.
   * @default false
   */
  readonly allowExternalPaths?: boolean | undefined;
  /**
   * Reads roots also where another user of the machine owns them or everybody may write to them, as in a container that
   * mounts the files of somebody else. Otherwise those of the project are withheld, and under `strict` and `portable` all.
   * @default false
   */
  readonly allowUnsafeRoots?: boolean | undefined;
  /**
   * Decides whether the skills of the project are read.
   * @default false
   */
  readonly trusted?: TrustOption | undefined;
  /** Ends the wait for a callback that decides about trust; the preset then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Roots that come with the host; they lose to everything but what a service has synced. */
  readonly builtin?: readonly string[] | undefined;
  /**
   * Makes sources for directories that do not exist yet, too: for a watcher.
   * @default false
   */
  readonly includeMissing?: boolean | undefined;
}

/**
 * Finds the skills as a client does: its directories in the project, of the user and of plugins as sources, those that
 * win first.
 *
 * Directories that do not exist are left out, one that is reached twice is there once. Nothing below a project that is
 * not trusted is read; where that cannot be decided, the first source says why. The environment is asked at each call.
 *
 * @throws {SkillError} `options-invalid`
 */
export async function clientPreset(
  client: ClientName = 'skillful',
  options: ClientPresetOptions = {},
): Promise<readonly SkillSource[]> {
  if (!isClientName(client)) {
    const known = [...Object.keys(clientLayouts), 'all'].map((layout) => `\`${layout}\``).join(', ');
    throw new SkillError(
      'options-invalid',
      `There is no layout for the client \`${client}\`; expected one of ${known}. A client of your own takes one of these and the option \`name\`.`,
    );
  }
  const name = options.name ?? (client === 'skillful' || client === 'all' ? 'skillful' : undefined);
  if (name !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new SkillError(
      'options-invalid',
      '`name` is not a name for a directory; expected letters, digits and hyphens.',
    );
  }
  const layout = adjustLayout(layoutOf(client), name, options);
  const user = findUserDirectories(options);
  const project = findProject(options.cwd ?? process.cwd(), options.stopAt);
  const { isTrusted: trusted, doubt } = await decideTrust(project.root, options.trusted ?? false, options.signal);

  const ofUser = userRoots(layout, user, options.cwd ?? process.cwd());
  const ofProject = [...projectRoots(layout, project, trusted), ...configuredRoots(project, user, trusted, options)];
  const ofMachine = layout.admin.map((path) => ({
    ...skillsRoot(expandRoot(path, user), expandRoot(path, user), 'admin'),
    skillsChild: false,
  }));
  const narrowestFirst = [ofProject, ofUser, ofMachine];
  const ordered = layout.order === 'user-first' ? narrowestFirst.reverse() : narrowestFirst;
  const roots = [
    ...ordered.flat(),
    ...layout.plugins.map((path) => ({
      ...userRoot(expandRoot(path, user), user, 'plugin'),
      kind: 'plugins' as const,
    })),
    ...(options.builtin ?? []).map((path) => skillsRoot(expandPath(path, project.root, user.home), path, 'builtin')),
    ...layout.synced.map((path) => ({
      ...userRoot(expandRoot(path, user), user, 'synced'),
      skillsChild: false,
    })),
  ];
  const own = new Set(ofUser.map(({ path }) => canonicalPath(path)));
  const guard = (root: Root): Root => {
    if (options.allowUnsafeRoots === true) return { ...root, allowUnsafe: true };
    return root.scope === 'project' ? { ...root, safeUpTo: project.root } : root;
  };
  const sources = withoutDuplicates(roots, own)
    .map(guard)
    // A link that leads nowhere, and what must not be looked at, are worth a word.
    .filter((root) => root.kind === 'refused' || options.includeMissing === true || mayBeThere(root.path))
    .map((root) => createSource(root, layout));
  if (doubt === undefined) return sources;
  const site = { source: 'project', location: project.root };
  return [
    createReport('project', project.root, createDiagnostic('trust-undecided', site, { reason: doubt.reason })),
    ...sources,
  ];
}

/** Changes a layout as the host has it, and puts in the name of its client. */
function adjustLayout(
  layout: ClientLayout,
  name: string | undefined,
  { ancestors = layout.ancestors, depth = layout.depth, order = layout.order }: ClientPresetOptions,
): ClientLayout {
  return { ...nameLayout(layout, name), ancestors, depth, order };
}

/** Puts the client's name into a layout, and its own directories first. */
function nameLayout(layout: ClientLayout, name: string | undefined): ClientLayout {
  if (name === undefined) return layout;
  const put = (text: string): string => text.split('{name}').join(name);
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_SKILLS_DIR`;
  return {
    ...layout,
    project: [...new Set([`.${name}/skills`, ...layout.project.map(put)])],
    user: [...new Set([`{config}/${name}/skills`, ...layout.user.map(put)])],
    replacedBy: layout.replacedBy === undefined || layout.replacedBy.includes('{') ? variable : layout.replacedBy,
  };
}

function createSource(root: Root, layout: ClientLayout): SkillSource {
  const { path, label: id, kind, scope, trusted, skillsChild, safeUpTo, allowUnsafe } = root;
  const { depth, hidden, followSymlinks, followFileLinks } = layout;
  if (kind === 'plugins') return pluginSource(path, { id, scope, trusted });
  if (kind === 'refused')
    return createReport(id, path, createDiagnostic('path-external', { source: id, location: path }));
  const found = { depth, hidden, followSymlinks, followFileLinks, skillsChild };
  return fileSource(path, { id, scope, trusted, ...found, safeUpTo, allowUnsafe });
}

/** Creates a source of the project that holds nothing and says why. */
function createReport(id: string, path: string, problem: Diagnostic): SkillSource {
  return {
    ...fileSource(path, { id, scope: 'project' }),
    list: () => Promise.resolve({ entries: [], diagnostics: [problem] }),
  };
}
