// A folder outside the workspace into which tarballs and at most one framework are installed, as a user would.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedPackage } from './pack.ts';
import { runWell } from './run.ts';
import { type Manifest, root, type WorkspacePackage } from './workspace.ts';

/** What a program of `test/consumers` prints: what a model was told, was offered, and got for an activation. */
export interface Told {
  readonly system: string;
  readonly tools: readonly string[];
  readonly activation: string;
}

/** Path of the program that uses a package. */
function programOf({ folder }: WorkspacePackage): string {
  return join(root, 'test/consumers', `${folder}.ts`);
}

/** Packages that an adapter's user brings along: its peers but our own. */
export function frameworksOf({ manifest }: WorkspacePackage): readonly string[] {
  return Object.keys(manifest.peerDependencies ?? {}).filter((name) => !name.startsWith('@skillful/'));
}

/** Installs tarballs with npm into an empty folder, each framework in the version that the workspace tests with. */
export async function installPackages(directory: string, entries: readonly PackedPackage[]): Promise<void> {
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const frameworks = entries.flatMap(frameworksOf).map((name) => `${name}@${installedVersion(name)}`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await runWell('npm', ['install', ...options, ...entries.map(({ tarball }) => tarball), ...frameworks], directory);
}

/** Whether a package stands in the `node_modules` of a folder. */
export function isInstalled(directory: string, name: string): boolean {
  return existsSync(join(directory, 'node_modules', name));
}

/** Type-checks the program of a package against what is installed in a folder, runs it there, and reads what it prints. */
export async function runProgram(directory: string, entry: PackedPackage, skills: string): Promise<Told> {
  const program = join(directory, 'program.ts');
  copyFileSync(programOf(entry), program);
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await runWell(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], directory);
  return JSON.parse(await runWell(process.execPath, [program, skills], directory)) as Told;
}

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};

/** Writes a root with one small skill in it. */
export function writeGreetingSkill(directory: string): void {
  mkdirSync(join(directory, 'greeting/references'), { recursive: true });
  const head = '---\nname: greeting\ndescription: Greets people. Use when somebody asks for a greeting.\n---\n';
  writeFileSync(
    join(directory, 'greeting/SKILL.md'),
    `${head}# Greeting\n\nSay hello in the way of references/ways.md.\n`,
  );
  writeFileSync(join(directory, 'greeting/references/ways.md'), 'Hello. Good morning. Good evening.\n');
}

function installedVersion(name: string): string {
  const file = join(root, 'test/node_modules', name, 'package.json');
  if (!existsSync(file)) throw new Error(`${name} is a peer of an adapter: add it to the devDependencies of test/`);
  return (JSON.parse(readFileSync(file, 'utf8')) as Manifest & { version: string }).version;
}
