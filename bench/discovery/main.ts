// Measures how fast skills are found and read, here and in other loaders, prints the page and writes docs/benchmarks.md.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSkill } from '../../packages/core/src/format/parse.ts';
import { readCorpus } from '../corpus.ts';
import { installedVersion } from '../peers.ts';
import { type AdapterStart, startAdapter } from './adapters.ts';
import type { Loads } from './benchmark.ts';
import { createGeneratedTree } from './generated-tree.ts';
import type { Activations, Switches } from './loads.ts';
import { measureTree, type Tree } from './measure-tree.ts';
import { median } from './probes.ts';
import { build, repository, run, runWithFiles } from './program.ts';
import { createRealTree, isWrittenByPeople } from './real-tree.ts';
import { formatReport } from './report.ts';
import type { Steps } from './steps.ts';

const isOwnOnly = process.argv.includes('--own');
const peers = isOwnOnly ? [] : ['@skillkit/core', 'deepagents', 'skills-ref', '@mastra/core', 'bash-tool'];
const modules = join(import.meta.dirname, 'node_modules');
const missing = peers.filter((name) => !existsSync(join(modules, name)));
if (missing.length > 0) {
  console.error(
    `${missing.join(', ')} NOT INSTALLED, so nothing was measured. Run \`npm install\` in bench/discovery,`,
  );
  console.error('or `node main.ts --own` to measure Skillful alone.');
  process.exit(1);
}

/** Trees of the corpus: all files, those that people wrote, and those that every loader reads. */
async function measureReal(base: string): Promise<readonly Tree[]> {
  const corpus = readCorpus();
  if (corpus === undefined) return [];
  const skills = createRealTree(corpus, ({ directory, content }) => {
    return parseSkill(content, { directoryName: directory }).properties?.name;
  });
  const files = new Map([...skills].map(([name, { content }]) => [name, content]));
  const all = await measureTree(base, 'real files', files, peers);
  const common = new Set(files.keys());
  for (const { directories } of all.rows) {
    const read = new Set(directories);
    for (const name of common) if (!read.has(name)) common.delete(name);
  }
  const byPeople = new Set([...skills].flatMap(([name, skill]) => (isWrittenByPeople(skill) ? [name] : [])));
  const only = (names: ReadonlySet<string>) => new Map([...files].filter(([name]) => names.has(name)));
  const real = [all, await measureTree(base, 'real files that no program wrote or rewrote', only(byPeople), peers)];
  // Alone, Skillful would be "every loader".
  if (isOwnOnly) return real;
  return [...real, await measureTree(base, 'real files that every loader reads', only(common), peers)];
}

async function measureGenerated(base: string): Promise<readonly Tree[]> {
  const trees: Tree[] = [];
  for (const count of [10_000, 1000, 100]) {
    trees.push(await measureTree(base, 'generated clean files', createGeneratedTree(count), peers));
  }
  return trees;
}

async function measureLoads(base: string, root: string): Promise<Loads> {
  console.error('heavy loads');
  const activations = await runWithFiles<Activations>(256, 'loads', 'activations', root);
  const [processes, each] = [8, 250];
  const home = mkdtempSync(join(base, 'home-'));
  const lanes = Array.from({ length: processes }, () => run<Switches>('loads', 'switches', home, `${each}`));
  const times = (await Promise.all(lanes)).flat().sort((a, b) => a - b);
  return { activations, switches: { processes, each, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN } };
}

/** The medians of starting each adapter. */
async function measureAdapters(): Promise<readonly AdapterStart[]> {
  execFileSync('npx', ['-y', 'pnpm@12', 'run', 'build'], { cwd: repository, stdio: 'ignore' });
  const starts: AdapterStart[] = [];
  for (const folder of ['adapter-langchain', 'adapter-vercel-ai', 'adapter-mastra']) {
    const runs: AdapterStart[] = [];
    for (let round = 0; round < 3; round += 1) runs.push(await startAdapter(repository, folder));
    const [framework, adapter] = [runs.map((each) => each.framework), runs.map((each) => each.adapter)].map(median);
    starts.push({ name: folder, framework: framework ?? Number.NaN, adapter: adapter ?? Number.NaN });
  }
  return starts;
}

const base = mkdtempSync(join(tmpdir(), 'skillful-discovery-'));
try {
  build();
  const real = await measureReal(base);
  const generated = await measureGenerated(base);
  const [largest, thousand] = generated;
  if (largest === undefined || thousand === undefined) throw new Error('Nothing was measured.');
  const report = formatReport({
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    node: process.version,
    versions: new Map(peers.map((name) => [name, installedVersion(import.meta.dirname, name)])),
    real,
    generated,
    steps: await run<Steps>('steps', real[0]?.root ?? largest.root, thousand.root),
    loads: await measureLoads(base, largest.root),
    adapters: await measureAdapters(),
  });
  console.log(report);
  if (real.length > 0 && !isOwnOnly) writeFileSync(join(repository, 'docs', 'benchmarks.md'), report);
  if (real.length === 0) {
    console.error('NOT MEASURED ON REAL FILES, because the corpus is absent. docs/benchmarks.md stays as it was.');
    process.exitCode = 1;
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
