// A folder outside the workspace into which tarballs and at most one framework are installed, as a user would.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCodeBlocks } from './documents.ts';
import type { PackedPackage } from './pack.ts';
import { run, runWell } from './run.ts';
import { type Manifest, root, type WorkspacePackage } from './workspace.ts';

/** Packages that an adapter's user installs: its peers, except our own. */
export function frameworksOf({ manifest }: WorkspacePackage): readonly string[] {
  return Object.keys(manifest.peerDependencies ?? {}).filter((name) => !name.startsWith('@skillful/'));
}

/** Installs tarballs with npm into an empty folder. By default, each framework has the version that the workspace tests with. */
export async function installPackages(
  directory: string,
  entries: readonly PackedPackage[],
  frameworks: readonly string[] = entries.flatMap(frameworksOf).map((name) => `${name}@${installedVersion(name)}`),
): Promise<void> {
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await runWell('npm', ['install', ...options, ...entries.map(({ tarball }) => tarball), ...frameworks], directory);
}

/** Whether a package is in the `node_modules` of a folder. */
export function isInstalled(directory: string, name: string): boolean {
  return existsSync(join(directory, 'node_modules', name));
}

/** Type-checks a program of `test/consumers` against what is installed in a folder, runs it there, and reads what it prints. */
export async function runConsumer<Output>(directory: string, name: string, args: readonly string[]): Promise<Output> {
  const text = readFileSync(join(root, 'test/consumers', `${name}.ts`), 'utf8');
  // The compiler must be able to name the types of what a library exports that builds on ours.
  await compile(directory, 'program.ts', text, { declaration: true });
  return JSON.parse(await runWell(process.execPath, [join(directory, 'program.ts'), ...args], directory)) as Output;
}

/**
 * Does the same with the program as CommonJS, which a framework may have other types for, and which cannot wait at the top. It
 * compiles without `strict`, as many older programs do.
 */
export async function runAsCommonJs<Output>(directory: string, name: string, args: readonly string[]): Promise<Output> {
  const text = readFileSync(join(root, 'test/consumers', `${name}.ts`), 'utf8');
  const start = text.indexOf('\n\n', text.lastIndexOf('\nimport '));
  const body = text.slice(start).replaceAll(/^export /gm, '');
  const program = `${text.slice(0, start)}\nvoid (async () => {${body}})();\n`;
  await compile(directory, 'program.cts', program, { noEmit: false, allowImportingTsExtensions: false, strict: false });
  return JSON.parse(await runWell(process.execPath, [join(directory, 'program.cjs'), ...args], directory)) as Output;
}

async function compile(directory: string, file: string, text: string, options: object): Promise<void> {
  writeFileSync(join(directory, file), text);
  const config = { compilerOptions: { ...compilerOptions, ...options }, files: [file] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  await runWell(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], directory);
}

/** How the contract suites went in a folder. */
export interface SuiteOutcome {
  readonly passed: number;
  readonly failed: readonly string[];
  /** Errors of the compiler in the test that uses them. */
  readonly types: string;
}

/** Writes the harness of an adapter into a folder that has the adapter installed. */
export function writeHarness(directory: string, adapter = 'adapter-vercel-ai'): void {
  const own = JSON.parse(readFileSync(join(root, 'packages', adapter, 'package.json'), 'utf8')) as Manifest;
  const harness = readFileSync(join(root, 'packages', adapter, 'test/harness.ts'), 'utf8');
  writeFileSync(
    join(directory, 'harness.ts'),
    harness.replace("'../src/index.ts'", () => `'${own.name}'`),
  );
}

/**
 * Runs the contract suites that are installed in a folder as their README does, over the harness of an adapter that is
 * installed there, too.
 */
export async function runSuites(directory: string, adapter: string): Promise<SuiteOutcome> {
  writeHarness(directory, adapter);
  copyFileSync(join(root, 'test/consumers/testing.ts'), join(directory, 'corpus.test.ts'));
  const shown = findCodeBlocks('packages/testing/README.md').filter(({ kind }) => kind === 'test');
  for (const { line, code } of shown) writeFileSync(join(directory, `line-${line}.test.ts`), code);
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.test.ts'] }));
  const { stdout: types } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], directory);
  const options = ['run', '--reporter=json', '--outputFile=report.json', '--testTimeout=30000'];
  await run(join(directory, 'node_modules/.bin/vitest'), options, directory);
  const { testResults } = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as SuiteReport;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    passed: results.filter(({ status }) => status === 'passed').length,
    failed: [
      ...testResults.flatMap(({ message }) => (message === '' ? [] : [message])),
      ...results.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName),
    ],
    types,
  };
}

interface SuiteReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** How a consumer compiles: strictly, without checking the declarations of its dependencies. */
const compilerOptions: Readonly<Record<string, unknown>> = {
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
