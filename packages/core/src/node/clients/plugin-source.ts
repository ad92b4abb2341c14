// The source for plugins that a client has installed: each brings a directory `skills`.

import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { SkillScope, SkillSource } from '../../skill/source.ts';
import { createBundleSource, type FoundBundles } from '../discovery/bundle-source.ts';
import { errnoOf, isOutOfDescriptors, nodeFileSystem } from '../disk/file-system.ts';
import { type PluginManifest, readPluginManifest } from './plugin-manifest.ts';

export interface PluginSourceOptions {
  /** @default 'plugin' */
  readonly id?: string | undefined;
  /** @default 'plugin' */
  readonly scope?: SkillScope | undefined;
  /** @default true */
  readonly trusted?: boolean | undefined;
}

/** Directories between a cache and a plugin's `skills`: marketplace, plugin and version, of which some are left out. */
const deepest = 3;

/**
 * Creates a source from a cache of plugins: `<cache>[/<marketplace>]/<plugin>[/<version>]/skills/<skill>/SKILL.md`.
 *
 * Of several versions of a plugin the newest comes first, so that it wins. A `skills` directory is searched exactly one
 * level deep, and a link that leaves its plugin is a diagnostic. A plugin whose `plugin.json` names a schema of Agent
 * Plugins is held to that standard, as by `agentPluginSource`.
 */
export function pluginSource(cache: string, options: PluginSourceOptions = {}): SkillSource {
  const root = resolve(cache);
  const { scope = 'plugin', id = 'plugin', trusted = true } = options;
  return createBundleSource({ id, scope, trusted }, () =>
    collect(
      findPlugins(root).map((directory) => {
        const manifest = readPluginManifest(nodeFileSystem, directory, id);
        return manifest?.schema?.startsWith(standard) === true
          ? admit(directory, manifest)
          : { bundles: [{ directory, plugin: nameInCache(root, directory) }], diagnostics: [] };
      }),
    ),
  );
}

/**
 * Creates a source from one Agent Plugin: a directory with a `plugin.json` and `skills/<skill>/SKILL.md`.
 *
 * A manifest that breaks its schema rejects the plugin, an unknown field is ignored; both are diagnostics. Skills must
 * pass the `strict` profile whatever the catalog asks for. Nothing is read through a link that leaves the plugin.
 *
 * @see https://agent-plugins.org
 */
export function agentPluginSource(directory: string, options: PluginSourceOptions = {}): SkillSource {
  const root = resolve(directory);
  const { scope = 'plugin', id = `plugin:${basename(root)}`, trusted = true } = options;
  return createBundleSource({ id, scope, trusted }, () => {
    const manifest = readPluginManifest(nodeFileSystem, root, id);
    if (manifest !== undefined) return admit(root, manifest);
    const reason = 'there is no `plugin.json`';
    return {
      bundles: [],
      diagnostics: [createDiagnostic('plugin-invalid', { source: id, location: root }, { reason })],
    };
  });
}

/** How every schema of the standard begins, whatever its version. */
const standard = 'https://agent-plugins.org/schemas/';

/** Takes a plugin with its own name, or not at all. */
function admit(directory: string, { name, diagnostics }: PluginManifest): FoundBundles {
  return { bundles: name === undefined ? [] : [{ directory, plugin: name, strict: true }], diagnostics };
}

function collect(found: readonly FoundBundles[]): FoundBundles {
  return {
    bundles: found.flatMap(({ bundles }) => bundles),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** A plugin is called like its directory, or like the one above where its own is a version or can only be one. */
function nameInCache(root: string, directory: string): string {
  const parts = relative(root, directory).split(sep);
  const own = parts.at(-1) ?? '';
  const isVersion = parts.length === deepest || versionOf(own) !== undefined;
  return (isVersion ? parts.at(-2) : undefined) ?? own;
}

/** Finds the directories below a cache that hold a directory `skills`, versions of one plugin newest first. */
function findPlugins(root: string): readonly string[] {
  const found: string[] = [];
  function search(directory: string, level: number): void {
    const children = childrenOf(directory);
    if (level > 0 && children.includes('skills')) {
      found.push(directory);
      return;
    }
    if (level === deepest) return;
    for (const child of children.sort(byVersionDescending)) search(join(directory, child), level + 1);
  }
  search(root, 0);
  return found;
}

function childrenOf(directory: string): string[] {
  let children: Dirent[];
  try {
    children = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (isOutOfDescriptors(errnoOf(error))) throw error;
    return [];
  }
  return children
    .filter((child) => !child.name.startsWith('.') && (child.isDirectory() || child.isSymbolicLink()))
    .map(({ name }) => name);
}

/** `1.10.0` before `1.9.0`, and both before names that are no versions, in code-unit order. */
function byVersionDescending(a: string, b: string): number {
  const left = versionOf(a);
  const right = versionOf(b);
  if (left === undefined && right === undefined) return a < b ? -1 : 1;
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

function versionOf(name: string): readonly number[] | undefined {
  const match = /^v?(\d+(?:\.\d+)*)(?:[-+].*)?$/.exec(name);
  return match?.[1]?.split('.').map(Number);
}
