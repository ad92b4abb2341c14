// Creates sources for the dependencies of a project that ship skills in a `skills` directory.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import { isRecord, parseJson, recordOf } from '../../runtime/record.ts';
import { checkDecision, checkKeys } from '../../skill/options.ts';
import type { SkillScope, SkillSource } from '../../skill/source.ts';
import { memorySource } from '../../sources/memory.ts';
import { createBundleSource } from '../discovery/bundle-source.ts';
import { isAtOrBelow, upwardsFrom } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { nodeFileSystem } from '../disk/file-system.ts';
import { findHazard } from '../disk/ownership.ts';
import { readSmallText } from '../disk/read.ts';
import { canonicalPath, findProject, isGitRoot } from '../environment/project.ts';
import { askForTrust, takeAnswer } from '../environment/trust.ts';
import type { ClientPresetOptions } from './preset.ts';

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Path without links, so that a package is listed once even if many others depend on it. */
  readonly directory: string;
}

export interface PackageSourcesOptions extends Pick<ClientPresetOptions, 'cwd' | 'signal'> {
  /**
   * Also includes the dependencies of dependencies. Then their authors can instruct the agent, too.
   * @default false
   */
  readonly transitive?: boolean | undefined;
  /** @default 'package' */
  readonly scope?: SkillScope | undefined;
  /**
   * Whether the skills of packages are read. Pass `false` for an untrusted project, because it may contain its own `node_modules`.
   * A callback decides for each package, one after the other. If it throws, rejects or returns anything but a boolean, the package
   * is not trusted and gets a diagnostic.
   * @default true
   */
  readonly trusted?: boolean | ((installed: InstalledPackage) => boolean | Promise<boolean>) | undefined;
}

interface Manifest extends InstalledPackage {
  readonly dependencies: readonly string[];
  readonly developmentDependencies: readonly string[];
}

const maxManifestBytes = 1024 * 1024;

/** Names that npm accepts. Other names could lead out of `node_modules`. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

/**
 * Finds the packages with skills that the package around the working directory depends on, nearest first and then by name. Each
 * becomes a source with the id `npm:<name>@<version>`. If there is none, one empty source says where it was searched. Runs no code
 * of a package.
 *
 * Searches for the package up to the git root. Above the git root, or above the package if there is no repository, skips
 * directories that other users own or can write to.
 *
 * @throws {SkillError} `source-failed` if the system has no descriptors left; `options-invalid` if an option is unknown
 */
export async function packageSources(options: PackageSourcesOptions = {}): Promise<readonly SkillSource[]> {
  checkKeys('options', options, ['cwd', 'transitive', 'scope', 'trusted', 'signal']);
  const { cwd = process.cwd(), transitive = false, scope = 'package', trusted = true, signal } = options;
  checkDecision('transitive', transitive);
  const root = await waitForDescriptors(() => findManifest(cwd), undefined);
  const packages = await waitForDescriptors(() => findPackages(root, transitive), undefined);
  const found = new Map<string, InstalledPackage>();
  for (const installed of packages) {
    const id = `npm:${installed.name}@${installed.version}`;
    // Further copies of the same version have the same skills.
    if (!found.has(id) && existsSync(join(installed.directory, 'skills'))) found.set(id, installed);
  }
  if (found.size === 0) {
    const searched = [join(root?.directory ?? canonicalPath(cwd), 'node_modules')];
    return [{ ...memorySource({}, { id: 'packages', scope }), searched }];
  }
  const sources: SkillSource[] = [];
  for (const [id, { name, version, directory }] of found) {
    const { isTrusted, doubt } =
      typeof trusted === 'function'
        ? await askForTrust(() => trusted({ name, version, directory }), signal)
        : takeAnswer(trusted);
    const site = { source: id, location: directory };
    // If trust is undecided, the source lists nothing but that diagnostic.
    const content =
      doubt === undefined
        ? { bundles: [{ directory, plugin: name }], diagnostics: [] }
        : { bundles: [], diagnostics: [createDiagnostic('trust-undecided', site, { reason: doubt.reason })] };
    const searched = [join(directory, 'skills')];
    sources.push(
      createBundleSource({ id, scope, trusted: isTrusted || doubt !== undefined, searched }, () => [content]),
    );
  }
  return sources;
}

/** Walks the dependencies breadth first, so that a package is reached by its shortest path. */
function findPackages(root: Manifest | undefined, transitive: boolean): readonly InstalledPackage[] {
  if (root === undefined) return [];
  const top = findProject(root.directory).root;
  const seen = new Set([root.directory]);
  const found: Manifest[] = [];
  const queue: Manifest[] = [root];
  for (const current of queue) {
    const names = [...current.dependencies, ...(current === root ? current.developmentDependencies : [])];
    for (const name of [...new Set(names)].sort()) {
      const installed = resolvePackage(current.directory, name, top);
      if (installed === undefined || seen.has(installed.directory)) continue;
      seen.add(installed.directory);
      found.push(installed);
      if (transitive) queue.push(installed);
    }
  }
  return found;
}

/** Searches `node_modules` from a directory upwards, as Node does. Above `top`, skips directories that other users can change. */
function resolvePackage(from: string, name: string, top: string): Manifest | undefined {
  if (!packageName.test(name)) return undefined;
  for (const directory of upwardsFrom(from)) {
    const modules = join(directory, 'node_modules');
    const isSafe = isAtOrBelow(top, directory) || findHazard(nodeFileSystem, modules, dirname(directory)) === undefined;
    const manifest = isSafe ? readManifest(join(modules, name)) : undefined;
    // The name of the dependency was checked, the name in the manifest was not.
    if (manifest !== undefined) return { ...manifest, name };
  }
  return undefined;
}

function findManifest(cwd: string): Manifest | undefined {
  const { root } = findProject(cwd);
  const { directories } = findProject(cwd, isGitRoot(root) ? 'git' : 'root');
  for (const directory of directories) {
    const manifest = readManifest(directory);
    if (manifest !== undefined) return manifest;
  }
  return undefined;
}

function readManifest(directory: string): Manifest | undefined {
  const read = readSmallText(join(directory, 'package.json'), maxManifestBytes);
  if (read === undefined || 'problem' in read) return undefined;
  const manifest = parseJson(read.text);
  if (!isRecord(manifest)) return undefined;
  const { version, dependencies, optionalDependencies, devDependencies } = manifest;
  return {
    name: '',
    version: versionOf(version),
    directory: canonicalPath(directory),
    dependencies: [...Object.keys(recordOf(dependencies)), ...Object.keys(recordOf(optionalDependencies))],
    developmentDependencies: Object.keys(recordOf(devDependencies)),
  };
}

function versionOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.+-]{1,64}$/.test(value) ? value : 'unknown';
}
