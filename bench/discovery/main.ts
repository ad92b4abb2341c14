// Measures how fast skills are found and read, here and in other loaders, prints the tables and writes docs/benchmarks.md.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AdapterStart, startAdapter } from './adapters.ts';
import type { Measurement } from './measure.ts';
import { type Cold, formatReport, type Row, type Size } from './report.ts';
import type { Steps } from './steps.ts';
import { writeTree } from './trees.ts';

const here = import.meta.dirname;
const built = join(here, 'dist');
const repository = join(here, '..', '..');
const own = ['raw', 'stat', 'skillful'];
const peers = ['@mastra/core', 'deepagents', 'bash-tool', 'skills-ref', '@skillkit/core'];
const sizes = [
  { count: 100, rounds: 15, loaders: [...own, ...peers] },
  { count: 1000, rounds: 11, loaders: [...own, ...peers] },
  { count: 10_000, rounds: 7, loaders: [...own, ...peers] },
  { count: 100_000, rounds: 3, loaders: own },
];

const missing = peers.filter((name) => !existsSync(join(here, 'node_modules', name)));
if (missing.length > 0) {
  console.error(`bench/discovery: ${missing.join(', ')} NOT INSTALLED, so nothing was measured.`);
  console.error('Run `npm install` in bench/discovery first.');
  process.exit(1);
}

/** Compiles the core as it is published, and the programs of the children, which then start as any user's program does. */
function build(): void {
  rmSync(built, { recursive: true, force: true });
  const core = join(repository, 'packages', 'core');
  const bundler = join(core, 'node_modules', '.bin', 'rolldown');
  execFileSync(bundler, ['-c', 'rolldown.config.ts', '-d', join(built, 'core')], { cwd: core, stdio: 'ignore' });
  const compiler = join(repository, 'node_modules', '.bin', 'tsc');
  execFileSync(compiler, ['-p', core, '--emitDeclarationOnly', '--outDir', join(built, 'core')], { stdio: 'inherit' });
  for (const program of ['measure', 'steps']) {
    const source = readFileSync(join(here, `${program}.ts`), 'utf8');
    writeFileSync(join(built, `${program}.js`), stripTypeScriptTypes(source));
  }
}

/** Runs a child and reads what it printed last, for loaders may print as well. */
async function run<Result>(program: string, ...given: string[]): Promise<Result> {
  const child = [join(built, `${program}.js`), ...given];
  const options = { maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...child], options);
  return JSON.parse(stdout) as Result;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function summarise(loader: string, runs: readonly Measurement[]): Row {
  const of = (field: Exclude<keyof Measurement, 'reloading'>): number => median(runs.map((each) => each[field]));
  const reloads = runs.flatMap(({ reloading }) => (reloading === undefined ? [] : [reloading]));
  return {
    loader,
    skills: of('skills'),
    importing: of('importing'),
    loading: of('loading'),
    processor: of('processor'),
    held: of('held'),
    peak: of('peak'),
    retained: of('retained'),
    ...(reloads.length === 0 ? {} : { reloading: median(reloads) }),
  };
}

/** Asks every loader once a round, so that what disturbs the machine disturbs all of them. */
async function measureSize(base: string, { count, rounds, loaders }: (typeof sizes)[number]): Promise<Size> {
  const root = join(base, `${count}`, 'skills');
  mkdirSync(root, { recursive: true });
  writeTree(root, count);
  await run('measure', 'raw', root);
  const runs = new Map(loaders.map((loader) => [loader, [] as Measurement[]]));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`${count} skills, round ${round} of ${rounds}`);
    for (const loader of loaders) runs.get(loader)?.push(await run<Measurement>('measure', loader, root));
  }
  const rows = [...runs].map(([loader, measured]) => summarise(loader, measured));
  const steps = count === 1000 ? await run<Steps>('steps', root) : undefined;
  const cold = count === 10_000 ? await measureCold(root) : undefined;
  rmSync(root, { recursive: true, force: true });
  return { count, rounds, rows, steps, cold };
}

/** Empties the page cache of Linux, which only the superuser may; false where it cannot be done. */
function emptyPageCache(): boolean {
  try {
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

/** Reads a tree of which nothing is in memory, but with the programs in memory that read it. */
async function measureCold(root: string): Promise<Cold | undefined> {
  const small = join(root, '..', 'small');
  mkdirSync(small, { recursive: true });
  const times = new Map(['raw', 'skillful'].map((loader) => [loader, [] as number[]]));
  for (let round = 1; round <= 3; round += 1) {
    console.error(`cold, round ${round} of 3`);
    for (const [loader, taken] of times) {
      if (!emptyPageCache()) return undefined;
      await run('measure', loader, small);
      taken.push((await run<Measurement>('measure', loader, root)).loading);
    }
  }
  const [raw = Number.NaN, skillful = Number.NaN] = [...times.values()].map(median);
  return { raw, skillful };
}

/** The table of the loads that take seconds, whether or not they take what they may. */
function measureLoads(): string {
  const suite = [join(here, 'load-suite.ts'), '1', 'L03', 'L04', 'L05', 'L06', 'L10'];
  const { stdout } = spawnSync(process.execPath, suite, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (stdout === '') throw new Error('The loads could not be measured.');
  return stdout;
}

/** The medians of starting each adapter. */
async function measureAdapters(): Promise<readonly AdapterStart[]> {
  execFileSync('npx', ['-y', 'pnpm@12', 'run', 'build'], { cwd: repository, stdio: 'ignore' });
  const folders = ['adapter-langchain', 'adapter-vercel-ai', 'adapter-mastra'];
  const runs: AdapterStart[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const folder of folders) runs.push(await startAdapter(repository, folder));
  }
  return folders.map((name) => {
    const own = runs.filter((each) => each.name === name);
    const framework = median(own.map((each) => each.framework));
    return { name, framework, adapter: median(own.map((each) => each.adapter)) };
  });
}

const base = mkdtempSync(join(tmpdir(), 'skillful-discovery-'));
const longest = Number(process.argv[2] ?? 100_000);
try {
  build();
  const measured: Size[] = [];
  for (const size of sizes) if (size.count <= longest) measured.push(await measureSize(base, size));
  const version = (name: string): string =>
    String(JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version);
  const report = formatReport({
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    node: process.version,
    versions: new Map(peers.map((name) => [name, version(name)])),
    sizes: measured,
    adapters: await measureAdapters(),
    loads: measured.length === sizes.length ? measureLoads() : undefined,
  });
  console.log(report);
  // A run that leaves the largest trees out is for looking only.
  if (measured.length === sizes.length) writeFileSync(join(repository, 'docs', 'benchmarks.md'), report);
} finally {
  rmSync(base, { recursive: true, force: true });
}
