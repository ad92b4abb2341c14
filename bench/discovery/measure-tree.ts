// Measures every loader on one tree, each run in a fresh process.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from './measure.ts';
import { median } from './probes.ts';
import { run } from './program.ts';

/** The medians of one loader. */
export interface Row extends Measurement {
  readonly loader: string;
  readonly rounds: number;
}

/** What was measured on one tree. */
export interface Tree {
  readonly title: string;
  readonly count: number;
  readonly root: string;
  readonly rows: readonly Row[];
}

/** Two passes over the files for comparison, and Skillful. */
export const ownLoaders: readonly string[] = ['raw', 'stat', 'skillful'];

const mostRounds = 5;

/** Milliseconds after which a loader is not asked again on one tree; our own are asked three times in any case. */
const patience = 3000;

/** Writes the tree and asks the loaders in turns, so that whatever disturbs the machine disturbs all of them. */
export async function measureTree(
  base: string,
  title: string,
  files: ReadonlyMap<string, string>,
  peers: readonly string[],
): Promise<Tree> {
  const root = mkdtempSync(join(base, 'tree-'));
  for (const [name, content] of files) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'SKILL.md'), content);
  }
  const runs = [...ownLoaders, ...peers].map((loader) => ({ loader, measured: [] as Measurement[], spent: 0 }));
  // Fills the page cache.
  await run('measure', 'raw', root);
  for (let round = 1; round <= mostRounds; round += 1) {
    console.error(`${files.size} ${title}, round ${round} of ${mostRounds}`);
    for (const each of runs) {
      if (each.spent > patience && (round > 3 || !ownLoaders.includes(each.loader))) continue;
      const start = performance.now();
      each.measured.push(await run<Measurement>('measure', each.loader, root));
      each.spent += performance.now() - start;
    }
  }
  return { title, count: files.size, root, rows: runs.map(({ loader, measured }) => summarise(loader, measured)) };
}

function summarise(loader: string, runs: readonly Measurement[]): Row {
  const of = (field: Exclude<keyof Measurement, 'directories' | 'reloading'>): number =>
    median(runs.map((each) => each[field]));
  const reloads = runs.flatMap(({ reloading }) => (reloading === undefined ? [] : [reloading]));
  return {
    loader,
    rounds: runs.length,
    directories: runs[0]?.directories ?? [],
    importing: of('importing'),
    loading: of('loading'),
    processor: of('processor'),
    blocked: of('blocked'),
    peak: of('peak'),
    retained: of('retained'),
    ...(reloads.length === 0 ? {} : { reloading: median(reloads) }),
  };
}
