// Measures how fast skills are found and read, here and in other loaders, prints the tables and writes docs/benchmarks.md.

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Loads } from './loads.ts';
import type { Measurement } from './measure.ts';
import { formatReport, type Row, type Size } from './report.ts';
import { writeTree } from './trees.ts';

const here = import.meta.dirname;
const built = join(here, 'dist');
const repository = join(here, '..', '..');
const own = ['raw', 'stat', 'skillful'];
const peers = ['@mastra/core', 'deepagents', 'bash-tool', 'skills-ref', '@skillkit/core'];
const sizes = [
  { count: 100, rounds: 9, loaders: [...own, ...peers] },
  { count: 1000, rounds: 7, loaders: [...own, ...peers] },
  { count: 10_000, rounds: 5, loaders: [...own, ...peers] },
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
  for (const program of ['measure', 'loads']) {
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
  const loads = count === 100_000 ? await run<Loads>('loads', root, base) : undefined;
  rmSync(root, { recursive: true, force: true });
  return { count, rounds, rows, loads };
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
  });
  console.log(report);
  // A run that leaves the largest trees out is for looking only.
  if (measured.length === sizes.length) writeFileSync(join(repository, 'docs', 'benchmarks.md'), report);
} finally {
  rmSync(base, { recursive: true, force: true });
}
