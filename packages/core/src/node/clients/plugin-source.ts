// Creates sources for plugins that a client has installed, each with a `skills` directory.

import { readdirSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import { checkKeys } from '../../skill/options.ts';
import type { SkillScope, SkillSource } from '../../skill/source.ts';
import { createBundleSource, type FoundBundles } from '../discovery/bundle-source.ts';
import { checkRootPath } from '../discovery/root.ts';
import { answerOf, describeErrno, mayBeThere, nodeFileSystem } from '../disk/file-system.ts';
import { readClaudePlugin } from './claude-plugin.ts';
import { type PluginManifest, readPluginManifest, rejectPlugin } from './plugin-manifest.ts';

export interface PluginSourceOptions {
  /** @default 'plugin', or `plugin:<directory name>` with `single` */
  readonly id?: string | undefined;
  /** @default 'plugin' */
  readonly scope?: SkillScope | undefined;
  /** @default true */
  readonly trusted?: boolean | undefined;
  /**
   * Reads the directory as one plugin, for example an Agent Plugin with a `plugin.json`, not as a cache of plugins.
   * @default false
   */
  readonly single?: boolean | undefined;
}

/** Most levels between a cache and a plugin's `skills`: marketplace, plugin and version. Some may be missing. */
const deepest = 3;

/**
 * Creates a source from a cache of plugins: `<cache>[/<marketplace>]/<plugin>[/<version>]/skills/<skill>/SKILL.md`; or from one
 * plugin of Claude Code, with a `.claude-plugin/plugin.json`.
 *
 * Lists the newest version of a plugin first, so that it wins. Leaves out versions that Claude Code has replaced or uninstalled.
 * Searches `skills`, and the directories that a manifest of Claude Code names instead or in addition, exactly one level deep. A
 * link that leaves its plugin gets a diagnostic. If `plugin.json` names a schema of Agent Plugins, that standard applies: a
 * plugin whose manifest breaks the schema is rejected, unknown fields are ignored, both with a diagnostic, and skills must pass
 * the `strict` profile.
 *
 * @throws {SkillError} `options-invalid` if the path is empty or no text, or an option is unknown
 * @see https://agent-plugins.org
 */
export function pluginSource(directory: string, options: PluginSourceOptions = {}): SkillSource {
  checkRootPath(directory);
  checkKeys('options', options, ['id', 'scope', 'trusted', 'single']);
  const root = resolve(directory);
  const { single = false, scope = 'plugin', trusted = true } = options;
  const { id = single ? `plugin:${basename(root)}` : 'plugin' } = options;
  const isPlugin = () => single || nodeFileSystem.exists(join(root, '.claude-plugin', 'plugin.json'));
  return createBundleSource({ id, scope, trusted, searched: [root] }, () =>
    isPlugin() ? [findPlugin(root, id)] : findPlugins(root, id),
  );
}

function findPlugin(directory: string, source: string): FoundBundles {
  const manifest = readPluginManifest(directory, source);
  if (isAgentPlugin(manifest)) return admit(directory, manifest);
  const { name: plugin, places, diagnostics } = readClaudePlugin(directory, source);
  if (places !== undefined) return { bundles: [{ directory, plugin, places }], diagnostics };
  return admit(directory, manifest ?? rejectPlugin({ source, location: directory }, 'there is no `plugin.json`'));
}

/** Finds the plugin in a directory of a cache; `undefined` if it is not one. It need not be an Agent Plugin. */
function findCached(root: string, directory: string, hasSkills: boolean, source: string): FoundBundles | undefined {
  const manifest = hasSkills ? readPluginManifest(directory, source) : undefined;
  if (isAgentPlugin(manifest)) return admit(directory, manifest, root);
  const plugin = nameInCache(root, directory);
  const { places, diagnostics } = readClaudePlugin(directory, source, plugin);
  if (places !== undefined || hasSkills) return { bundles: [{ directory, plugin, places, cache: root }], diagnostics };
  // A plugin needs no manifest if its marketplace describes it, and the marketplace is elsewhere.
  const isSkill = isVersion(basename(directory)) && mayBeThere(nodeFileSystem, join(directory, 'SKILL.md'));
  return isSkill ? { bundles: [{ directory, plugin, places: [directory], cache: root }], diagnostics } : undefined;
}

/** Checks whether a manifest names a schema of the standard, in any version. Other clients also have a `plugin.json`. */
function isAgentPlugin(manifest: PluginManifest | undefined): manifest is PluginManifest {
  return manifest?.schema?.startsWith('https://agent-plugins.org/schemas/') === true;
}

/** Accepts a plugin under the name in its manifest, or rejects it. */
function admit(directory: string, { name, diagnostics }: PluginManifest, cache?: string): FoundBundles {
  return { bundles: name === undefined ? [] : [{ directory, plugin: name, cache, strict: true }], diagnostics };
}

/** Returns the name of a plugin: that of its directory, or of the directory above if its own is a version. */
function nameInCache(root: string, directory: string): string {
  const parts = relative(root, directory).split(sep);
  const own = parts.at(-1) ?? '';
  return (parts.length === deepest || isVersion(own) ? parts.at(-2) : undefined) ?? own;
}

/** Checks whether Claude Code could have named a directory: by a version, a commit, a commit and a hash, or `unknown`. */
function isVersion(name: string): boolean {
  return versionOf(name) !== undefined || /^(?:[\da-f]{7,40}(?:-[\da-f]+)?|unknown)$/.test(name);
}

/** Finds the plugins below a cache, with the newest version of a plugin first. */
function findPlugins(root: string, source: string): readonly FoundBundles[] {
  const found: FoundBundles[] = [];
  function search(directory: string, level: number): void {
    const children = childrenOf(directory, level === 0);
    if (typeof children === 'string') {
      const problem = createDiagnostic('root-unreadable', { source, location: directory }, { reason: children });
      found.push({ bundles: [], diagnostics: [problem] });
      return;
    }
    if (children === undefined) return;
    const plugin = level > 0 ? findCached(root, directory, children.includes('skills'), source) : undefined;
    if (plugin !== undefined) found.push(plugin);
    else if (level < deepest) {
      for (const child of [...children].sort(byVersionDescending)) search(join(directory, child), level + 1);
    }
  }
  search(root, 0);
  return found;
}

/** Claude Code writes this file into a version that it has replaced or uninstalled, and deletes the version two weeks later. */
const replaced = '.orphaned_at';

/**
 * Lists the directories and links in a directory, or returns why they cannot be listed; `undefined` if the directory is replaced
 * or missing. A link may lead to a file, or nowhere.
 */
function childrenOf(directory: string, isRoot: boolean): readonly string[] | string | undefined {
  try {
    const children = readdirSync(directory, { withFileTypes: true });
    if (children.some(({ name }) => name === replaced)) return undefined;
    return children
      .filter((child) => !child.name.startsWith('.') && (child.isDirectory() || child.isSymbolicLink()))
      .map(({ name }) => name);
  } catch (error) {
    const errno = answerOf(error);
    return errno === 'ENOENT' || (errno === 'ENOTDIR' && !isRoot) ? undefined : describeErrno(errno);
  }
}

/** Sorts `1.10.0` before `1.10.0-beta.1` and `1.9.0`, and versions before other names, which are sorted by code unit. */
function byVersionDescending(a: string, b: string): number {
  const [left, right] = [versionOf(a), versionOf(b)];
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined) || (a < b ? -1 : 1);
  }
  const isDraft = (name: string): number => (/^[^+]*-/.test(name) ? 1 : 0);
  const bare = (name: string): string => name.replace(/^v/, '');
  return compareNumbers(right, left) || isDraft(a) - isDraft(b) || compareNumbers(bare(b), bare(a)) || (a < b ? -1 : 1);
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Returns the numbers of a version without trailing zeros: `1.10` for `v1.10.0-beta`. */
function versionOf(name: string): string | undefined {
  return /^v?(\d+(?:\.\d+)*?)(?:\.0+)*(?:[-+].*)?$/.exec(name)?.[1];
}
