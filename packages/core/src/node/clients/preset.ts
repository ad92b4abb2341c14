// Turns the row of a client in the table into sources, in order of precedence.

import { createDiagnostic, showText } from '../../diagnostics/diagnostic.ts';
import { checkChoice, checkCounts, checkDecisions, invalidOption } from '../../skill/options.ts';
import type { SkillSource } from '../../skill/source.ts';
import { memorySource } from '../../sources/memory.ts';
import { type FileSourceOptions, fileSource } from '../discovery/file-source.ts';
import { mayBeThere, nodeFileSystem } from '../disk/file-system.ts';
import { findProject } from '../environment/project.ts';
import { decideTrust, type TrustOption } from '../environment/trust.ts';
import { checkClientName, ownVariable } from '../environment/user-directories.ts';
import { type ClientLayout, type ClientName, clientLayouts, isClientName, layoutOf } from './layouts.ts';
import { pluginSource } from './plugin-source.ts';
import { type PlanRootsOptions, planRoots, type Root } from './preset-roots.ts';

export interface ClientPresetOptions extends PlanRootsOptions {
  /**
   * Name of your own client: `.<name>/skills` and `<config>/<name>/skills` come first within their level in every layout,
   * and `<NAME>_SKILLS_DIR` replaces the user's directories.
   * @default 'skillful' in the layouts `skillful` and `all`, else none
   */
  readonly name?: string | undefined;
  /**
   * Also searches the directories above the working directory.
   * @default as the client does
   */
  readonly ancestors?: boolean | undefined;
  /**
   * Where the walk up from the working directory ends. Has no effect if the client does not walk up.
   * @default 'git'
   */
  readonly stopAt?: 'git' | 'root' | undefined;
  /**
   * Which scope wins a name: the project over the user and the machine, or the machine over the user and the project.
   * @default the client's own order
   */
  readonly order?: 'project-first' | 'user-first' | undefined;
  /**
   * Families of directories to search, and no others; within a level, the first wins. `['claude', 'agents']` searches
   * `.claude/skills` before `.agents/skills`, in each directory of the project and for the user. The name of your own client is a
   * family, too.
   * @default all of the client, in its order
   */
  readonly families?: readonly string[] | undefined;
  /**
   * Levels below a root to search.
   * @default the client's own depth
   */
  readonly depth?: number | undefined;
  /**
   * Follows links to directories, as all clients do.
   * @default true
   */
  readonly followSymlinks?: boolean | undefined;
  /**
   * Reads roots even if another user owns them or everyone can write to them, as with mounted files in a container. By default,
   * such roots are withheld if they belong to the project, and under `strict` and `portable` always.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
  /**
   * Whether the project is trusted, so that its skills and instruction files are read.
   * @default false
   */
  readonly trusted?: TrustOption | undefined;
  /** Cancels a `trusted` callback that takes long; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Also creates sources for directories that do not exist yet, for a watcher.
   * @default false
   */
  readonly includeMissing?: boolean | undefined;
}

/**
 * Returns the directories where a client looks for skills, in the project, of the user and of plugins, as sources, highest
 * precedence first.
 *
 * Skips duplicates, and missing directories except `paths`. A catalog without any skills names all searched directories. Reads
 * nothing of an untrusted project; if trust is undecided, the first source explains why. Reads the environment at each call.
 *
 * @throws {SkillError} `options-invalid`
 */
export async function clientPreset(
  client: ClientName = 'skillful',
  options: ClientPresetOptions = {},
): Promise<readonly SkillSource[]> {
  assertKnown(client);
  const { allowExternalPaths, allowUnsafe, depth, followSymlinks, order } = options;
  checkCounts({ depth });
  checkChoice('order', order, ['project-first', 'user-first']);
  checkDecisions({ allowExternalPaths, allowUnsafe });
  const name = options.name ?? (client === 'skillful' || client === 'all' ? 'skillful' : undefined);
  const layout = adjustLayout(layoutOf(client), name, options);
  const project = findProject(options.cwd ?? process.cwd(), options.stopAt);
  const { isTrusted, doubt } = await decideTrust(project.root, options.trusted ?? false, options.signal);
  const roots = planRoots(layout, project, isTrusted, options);
  const searched = roots.map(({ path }) => path);
  // Broken links get a diagnostic.
  const isUsed = ({ path, isNamed = false }: Root): boolean =>
    isNamed || options.includeMissing === true || mayBeThere(nodeFileSystem, path);
  const found = roots.filter(isUsed).map((root) => {
    const place = root.scope === 'project' ? { project: project.root, safeUpTo: project.root } : {};
    return createSource(root, layout, { allowUnsafe, followSymlinks, ...place });
  });
  const sources = (found.length === 0 ? [memorySource({}, { id: client })] : found).map((source) => ({
    ...source,
    searched,
  }));
  if (doubt === undefined) return sources;
  const site = { source: 'project', location: project.root };
  const problem = createDiagnostic('trust-undecided', site, { reason: doubt.reason });
  const report = {
    ...fileSource(project.root, { id: 'project' }),
    list: () => Promise.resolve({ entries: [], diagnostics: [problem] }),
  };
  return [report, ...sources];
}

function assertKnown(client: string): asserts client is ClientName {
  if (isClientName(client)) return;
  const known = [...Object.keys(clientLayouts), 'all'].map((layout) => `\`${layout}\``).join(', ');
  throw invalidOption(
    `Unknown client \`${client}\`; expected one of ${known}. For your own client, choose one of these and set \`name\`.`,
  );
}

/** Adjusts a layout to the options, and fills in the name of your own client. */
function adjustLayout(layout: ClientLayout, name: string | undefined, options: ClientPresetOptions): ClientLayout {
  const { ancestors = layout.ancestors, depth = layout.depth, order = layout.order } = options;
  const named = chooseFamilies(nameLayout(layout, name), options.families);
  return { ...named, ancestors, depth, order };
}

function chooseFamilies(layout: ClientLayout, families: readonly string[] | undefined): ClientLayout {
  if (families === undefined) return layout;
  const known = new Set([...layout.project, ...layout.user].map(familyOf));
  const unknown = families.find((family) => !known.has(family));
  if (unknown !== undefined) {
    throw invalidOption(
      `\`families\` has \`${showText(unknown)}\`; expected some of ${[...known].map((family) => `\`${family}\``).join(', ')}.`,
    );
  }
  const choose = (paths: readonly string[]): readonly string[] =>
    families.flatMap((family) => paths.filter((path) => familyOf(path) === family));
  return { ...layout, project: choose(layout.project), user: choose(layout.user) };
}

/**
 * Returns the family of a directory: `agents` for `.agents/skills`, `opencode` for `{config}/opencode/skills`, `codex` for
 * `{codex}/skills/.system`.
 */
function familyOf(path: string): string {
  return /([^/]+)\/skills?(?:\/|$)/.exec(path)?.[1]?.replace(/^\.|[{}]/g, '') ?? path;
}

/** Fills the name of your own client into a layout, and puts its directories first. */
function nameLayout(layout: ClientLayout, name: string | undefined): ClientLayout {
  if (name === undefined) return layout;
  checkClientName(name);
  const fillIn = (text: string): string => text.split('{name}').join(name);
  return {
    ...layout,
    project: [...new Set([`.${name}/skills`, ...layout.project.map(fillIn)])],
    user: [...new Set([`{config}/${name}/skills`, ...layout.user.map(fillIn)])],
    replacedBy:
      layout.replacedBy === undefined || layout.replacedBy.includes('{') ? ownVariable(name) : layout.replacedBy,
  };
}

function createSource(
  root: Root,
  layout: ClientLayout,
  others: Pick<FileSourceOptions, 'allowUnsafe' | 'followSymlinks' | 'safeUpTo' | 'project'>,
): SkillSource {
  const { path, label: id, scope, trusted, skillsChild, allowExternal } = root;
  const { depth, hidden, followFileLinks } = layout;
  if (scope === 'plugin') return pluginSource(path, { id, scope, trusted });
  const found = { depth, hidden, followFileLinks, skillsChild, allowExternal };
  return fileSource(path, { id, scope, trusted, ...found, ...others });
}
