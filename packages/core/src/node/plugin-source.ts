// The source for plugins that a client has installed: each brings a directory `skills`.

import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SkillScope } from '../skill.ts';
import type { SkillSource } from '../source.ts';
import { createBundleSource } from './bundle-source.ts';
import { errnoOf, isExhaustion } from './file-system.ts';

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
 * level deep, and a link that leaves its plugin is a diagnostic.
 *
 * @see https://agent-plugins.org
 */
export function pluginSource(cache: string, options: PluginSourceOptions = {}): SkillSource {
  const root = resolve(cache);
  const { scope = 'plugin', id = 'plugin', trusted = true } = options;
  return createBundleSource({ id, scope, trusted }, () => findPlugins(root));
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
    if (isExhaustion(errnoOf(error))) throw error;
    return [];
  }
  return children
    .filter((child) => !child.name.startsWith('.') && (child.isDirectory() || child.isSymbolicLink()))
    .map(({ name }) => name);
}

/** `1.10.0` before `1.9.0`; names that are no versions in code-unit order. */
function byVersionDescending(a: string, b: string): number {
  const left = versionOf(a);
  const right = versionOf(b);
  if (left === undefined || right === undefined) return a < b ? -1 : 1;
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
