// Reads the packages of the workspace from the file system, so that a new package is tested without being listed.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const root: string = dirname(dirname(fileURLToPath(import.meta.url)));

/** The fields of a `package.json` that tests look at. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types?: string; readonly default?: string }>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A package of the workspace. */
export interface WorkspacePackage {
  /** Name of its folder: `core`, `adapter-mastra`. */
  readonly folder: string;
  readonly directory: string;
  readonly manifest: Manifest;
}

/** Every package below `packages/`, sorted by folder. */
export const packages: readonly WorkspacePackage[] = globSync('packages/*/package.json', { cwd: root })
  .map((path) => join(root, dirname(path)))
  .sort()
  .map((directory) => ({
    folder: directory.slice(directory.lastIndexOf(sep) + 1),
    directory,
    manifest: JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest,
  }));

/** The packages that are published. */
export const publishedPackages: readonly WorkspacePackage[] = packages.filter(({ manifest }) => !manifest.private);

/** Paths of matching files, relative to the root, with slashes, sorted; without `node_modules` and `dist`. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  const ignored = (name: string): boolean => name === 'node_modules' || name === 'dist' || name === '.git';
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (path) => path.split(sep).some(ignored) }))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => existsSync(join(root, path)))
    .sort();
}
